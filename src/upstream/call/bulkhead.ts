import type { Lane } from '../../caller.ts';
import { GatewayError, tryAgainLater } from '../../errors.ts';
import type { CancelSignal } from '../../tools/cancellation.ts';

/** Kinds of calls, in the order in which they get free slots. */
const kinds = ['request', 'upload', 'poll'] as const;
export type CallKind = (typeof kinds)[number];

/** Whether the service has accepted the lane's credentials before: see `AcceptedLanes`. */
const trusts = ['accepted', 'unproven'] as const;
type Trust = (typeof trusts)[number];

/** Longest wait of an upload (ms): 30 seconds. Other calls have their own deadline. */
const maxUploadWaitMs = 30_000;

/** Bounds how many calls run at the same time, so that no caller can use up the connections of all. */
export interface Bulkhead {
  /**
   * Waits for a slot and returns a function that releases it. Uploads get at most half of the slots, since their
   * callers decide how long they last. Polls wait behind all other calls. Rejects with RATE_LIMITED when the lane's
   * queue is full, with UPSTREAM_UNAVAILABLE when an upload has waited too long, or with the signal's reason.
   */
  acquire(lane: Lane, kind: CallKind, signal: CancelSignal): Promise<() => void>;
  /** Takes a free slot and returns a function that releases it; undefined when the call would have to wait. */
  tryAcquire(lane: Lane, kind: CallKind): (() => void) | undefined;
  /** Number of slots in use. */
  running(): number;
  /** Number of calls that wait for a slot, by kind. */
  waiting(): [CallKind, number][];
}

export interface BulkheadOptions {
  /** Slots of all lanes together. */
  readonly total: number;
  /** Slots of one lane. */
  readonly perLane: number;
  /** Most requests, and most uploads, of one lane that wait. Waiting polls have no bound here. Default 200. */
  readonly maxWaiting?: number;
  /** Whether the service has accepted the lane's credentials before. Default: always. */
  readonly isAccepted?: (lane: Lane) => boolean;
}

/** Slots in use by one lane, by all unproven lanes or by all lanes. */
interface Usage {
  running: number;
  /** Those of `running` that are uploads. */
  uploads: number;
}

/** Starts a waiting call, with the trust of the queue in which it waited. */
type Start = (trust: Trust) => void;

/**
 * Creates a bulkhead of concurrency slots. A lane gets at most `perLane` slots, and at most a quarter of the slots for
 * uploads. All lanes that the service has never accepted get together at most half of the slots, and half of those for
 * uploads. Free slots go to accepted and unproven lanes alternately, and among each to one lane after another, so that
 * a lane with many calls delays only itself. Every bound is at least 1.
 */
export function createBulkhead(options: BulkheadOptions): Bulkhead {
  const { total, perLane, maxWaiting = 200, isAccepted = () => true } = options;
  const uploadTotal = Math.ceil(total / 2);
  const bounds = {
    all: { running: total, uploads: uploadTotal },
    lane: { running: perLane, uploads: atLeastOne(uploadTotal / 4) },
    unproven: { running: atLeastOne(total / 2), uploads: atLeastOne(uploadTotal / 2) },
  };
  const all: Usage = { running: 0, uploads: 0 };
  const unproven: Usage = { running: 0, uploads: 0 };
  const lanes = new Map<Lane, Usage>();
  const queues = { request: createQueue(), upload: createQueue(), poll: createQueue() };
  /** Calls that wait for a slot. */
  const waiting = { request: 0, upload: 0, poll: 0 };

  /** Starts the next call that waits, if there is room. A lane that gets a slot moves to the end of its Map. */
  function startNext(kind: CallKind): boolean {
    const queue = queues[kind];
    for (const trust of queue.order) {
      if (!hasRoomFor(kind, trust)) continue;
      for (const [lane, starts] of queue[trust]) {
        const [start] = starts;
        if (!start || !hasRoomInLane(lane, kind)) continue;
        queue[trust].delete(lane);
        queue[trust].set(lane, starts);
        queue.order = trust === 'accepted' ? ['unproven', 'accepted'] : ['accepted', 'unproven'];
        start(trust);
        return true;
      }
    }
    return false;
  }

  function hasRoomFor(kind: CallKind, trust: Trust): boolean {
    if (!hasRoom(all, bounds.all, kind)) return false;
    return trust === 'accepted' || hasRoom(unproven, bounds.unproven, kind);
  }

  function hasRoomInLane(lane: Lane, kind: CallKind): boolean {
    const usage = lanes.get(lane);
    return usage === undefined || hasRoom(usage, bounds.lane, kind);
  }

  function trustOf(lane: Lane): Trust {
    return isAccepted(lane) ? 'accepted' : 'unproven';
  }

  // It overtakes no call that could start: waiting calls have reached a bound of their lane or trust, or of all lanes.
  function tryAcquire(lane: Lane, kind: CallKind): (() => void) | undefined {
    const trust = trustOf(lane);
    return hasRoomFor(kind, trust) && hasRoomInLane(lane, kind) ? hold(lane, kind, trust) : undefined;
  }

  function hold(lane: Lane, kind: CallKind, trust: Trust): () => void {
    const usage = lanes.get(lane) ?? { running: 0, uploads: 0 };
    if (usage.running === 0) lanes.set(lane, usage);
    const count = (change: 1 | -1) => {
      add(all, kind, change);
      add(usage, kind, change);
      if (trust === 'unproven') add(unproven, kind, change);
    };
    count(1);
    return () => {
      count(-1);
      if (usage.running === 0) lanes.delete(lane);
      if (waiting.request + waiting.upload + waiting.poll === 0) return;
      moveAccepted(lane);
      let hasStarted = true;
      while (hasStarted) hasStarted = kinds.some(startNext);
    };
  }

  /** Moves the lane's waiting calls to the accepted queues: the service may have accepted its credentials just now. */
  function moveAccepted(lane: Lane): void {
    if (!isAccepted(lane)) return;
    for (const { accepted, unproven } of Object.values(queues)) {
      const starts = unproven.get(lane);
      if (starts === undefined) continue;
      unproven.delete(lane);
      accepted.set(lane, accepted.get(lane)?.union(starts) ?? starts);
    }
  }

  function removeFromQueue(lane: Lane, kind: CallKind, start: Start): void {
    for (const trust of trusts) {
      const starts = queues[kind][trust].get(lane);
      if (!starts?.delete(start)) continue;
      waiting[kind] -= 1;
      if (starts.size === 0) queues[kind][trust].delete(lane);
    }
  }

  return {
    running: () => all.running,
    waiting: () => kinds.map((kind) => [kind, waiting[kind]]),
    tryAcquire,

    acquire(lane, kind, signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      const free = tryAcquire(lane, kind);
      if (free) return Promise.resolve(free);
      const queue = queues[kind][trustOf(lane)];
      const starts = queue.get(lane) ?? new Set();
      if (kind !== 'poll' && starts.size >= maxWaiting) return Promise.reject(queueFull());
      queue.set(lane, starts);
      return new Promise((resolve, reject) => {
        const stopWaiting = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          removeFromQueue(lane, kind, start);
        };
        const start = (trust: Trust) => {
          stopWaiting();
          resolve(hold(lane, kind, trust));
        };
        const fail = (error: unknown) => {
          stopWaiting();
          reject(error);
        };
        const onAbort = () => fail(signal.reason);
        const timer =
          kind === 'upload' ? setTimeout(() => fail(uploadWaitedTooLong()), maxUploadWaitMs) : undefined;
        signal.addEventListener('abort', onAbort, { once: true });
        starts.add(start);
        waiting[kind] += 1;
      });
    },
  };
}

/** Waiting calls of one kind, by trust and lane, and the trust whose lanes get the next slot. */
function createQueue() {
  return {
    accepted: new Map<Lane, Set<Start>>(),
    unproven: new Map<Lane, Set<Start>>(),
    order: ['accepted', 'unproven'] as readonly Trust[],
  };
}

function hasRoom(usage: Usage, bound: Usage, kind: CallKind): boolean {
  return usage.running < bound.running && (kind !== 'upload' || usage.uploads < bound.uploads);
}

function add(usage: Usage, kind: CallKind, count: 1 | -1): void {
  usage.running += count;
  if (kind === 'upload') usage.uploads += count;
}

function atLeastOne(share: number): number {
  return Math.max(1, Math.floor(share));
}

function queueFull(): GatewayError {
  const message = 'Too many calls of this caller are waiting for the document service; nothing was sent.';
  return tryAgainLater('waiting-owner', message, { retryAfterMs: 1_000 });
}

function uploadWaitedTooLong(): GatewayError {
  const message = `The upload could not start within ${maxUploadWaitMs / 1_000} s because too many uploads are in progress; nothing was sent.`;
  return new GatewayError({ code: 'UPSTREAM_UNAVAILABLE', message, retryable: true, retryAfterMs: 1_000 });
}
