import type { Lane } from '../../caller.ts';
import { GatewayError } from '../../errors.ts';

const kinds = ['request', 'upload', 'poll'] as const;
type Kind = (typeof kinds)[number];

/** Whether the service has accepted the lane's credentials before: see `AcceptedLanes`. */
const standings = ['accepted', 'unproven'] as const;
type Standing = (typeof standings)[number];

export interface Bulkhead {
  /**
   * Waits for a slot among the calls that run at the same time; the returned function releases it. An `upload`
   * takes one of at most half of the slots: it lasts as long as its caller likes. A `poll` waits behind all.
   * Rejects with RATE_LIMITED at once when the lane's queue is full, with UPSTREAM_UNAVAILABLE when an upload
   * has waited for too long, or with the signal's reason.
   */
  acquire(lane: Lane, kind: Kind, signal: AbortSignal): Promise<() => void>;
  /** The same where a slot is free; undefined where it would have to be waited for. */
  tryAcquire(lane: Lane, kind: Kind): (() => void) | undefined;
  /** How many slots are taken. */
  running(): number;
  /** How many wait for one, by kind. */
  waiting(): [Kind, number][];
}

export interface BulkheadOptions {
  /** Calls at the same time, all lanes together. */
  readonly total: number;
  /** Calls at the same time in one lane. */
  readonly perLane: number;
  /** Requests, and uploads, of one lane that may wait; polls wait without a bound of their own. Default 200. */
  readonly maxWaiting?: number;
  /** Longest wait of an upload (ms). Default 30,000 (30 seconds). Others have a deadline of their own. */
  readonly maxUploadWaitMs?: number;
  /** Whether the service has accepted the lane's credentials before. Default: always. */
  readonly isAccepted?: (lane: Lane) => boolean;
}

/** What one lane, or all lanes of one standing, hold. */
interface Held {
  running: number;
  uploads: number;
}

/** Starts a waiting call with the standing under which it waited. */
type Start = (standing: Standing) => void;

/**
 * Concurrency slots for calls. A lane has at most `perLane` of them, and at most a quarter of those for
 * uploads; lanes that the service has never accepted have together at most half of all, and half of those for
 * uploads. Slots go to accepted and other lanes alternately, and within each to lanes in turn: a lane that
 * asks for much waits behind itself, never before others. A bound that would round down to none is one.
 */
export function createBulkhead(options: BulkheadOptions): Bulkhead {
  const { total, perLane, maxWaiting = 200, maxUploadWaitMs = 30_000, isAccepted = () => true } = options;
  const uploadTotal = Math.ceil(total / 2);
  const bounds = {
    all: { running: total, uploads: uploadTotal },
    lane: { running: perLane, uploads: atLeastOne(uploadTotal / 4) },
    unproven: { running: atLeastOne(total / 2), uploads: atLeastOne(uploadTotal / 2) },
  };
  const all: Held = { running: 0, uploads: 0 };
  const unproven: Held = { running: 0, uploads: 0 };
  const lanes = new Map<Lane, Held>();
  const lines = { request: newLine(), upload: newLine(), poll: newLine() };

  function serve(): void {
    while (all.running < total) {
      const next = nextIn('request') ?? nextIn('upload') ?? nextIn('poll');
      if (next === undefined) return;
      next();
    }
  }

  /** A Map keeps the order of insertion: a served lane goes to the end of the round. */
  function nextIn(kind: Kind): (() => void) | undefined {
    const line = lines[kind];
    for (const standing of line.turns) {
      if (!hasRoomFor(kind, standing)) continue;
      for (const [lane, starts] of line[standing]) {
        if (!hasRoomInLane(lane, kind)) continue;
        const [start] = starts;
        line[standing].delete(lane);
        line[standing].set(lane, starts);
        line.turns = standing === 'accepted' ? ['unproven', 'accepted'] : ['accepted', 'unproven'];
        return start && (() => start(standing));
      }
    }
    return undefined;
  }

  function hasRoomFor(kind: Kind, standing: Standing): boolean {
    if (!hasRoom(all, bounds.all, kind)) return false;
    return standing === 'accepted' || hasRoom(unproven, bounds.unproven, kind);
  }

  function hasRoomInLane(lane: Lane, kind: Kind): boolean {
    const held = lanes.get(lane);
    return held === undefined || hasRoom(held, bounds.lane, kind);
  }

  function standingOf(lane: Lane): Standing {
    return isAccepted(lane) ? 'accepted' : 'unproven';
  }

  /** A call that waits, waits for a bound of its own lane or standing: no other call overtakes it. */
  function tryAcquire(lane: Lane, kind: Kind): (() => void) | undefined {
    const standing = standingOf(lane);
    return hasRoomFor(kind, standing) && hasRoomInLane(lane, kind) ? occupy(lane, kind, standing) : undefined;
  }

  function occupy(lane: Lane, kind: Kind, standing: Standing): () => void {
    const held = lanes.get(lane) ?? { running: 0, uploads: 0 };
    lanes.set(lane, held);
    const holders = standing === 'unproven' ? [all, held, unproven] : [all, held];
    for (const holder of holders) add(holder, kind, 1);
    return () => {
      for (const holder of holders) add(holder, kind, -1);
      if (held.running === 0) lanes.delete(lane);
      moveAccepted(lane);
      serve();
    };
  }

  /** The call that just ended may be the one with which the service accepted the lane. */
  function moveAccepted(lane: Lane): void {
    if (!isAccepted(lane)) return;
    for (const kind of kinds) {
      const starts = lines[kind].unproven.get(lane);
      if (starts === undefined) continue;
      lines[kind].unproven.delete(lane);
      lines[kind].accepted.set(lane, new Set([...(lines[kind].accepted.get(lane) ?? []), ...starts]));
    }
  }

  function leaveLine(lane: Lane, kind: Kind, start: Start): void {
    for (const standing of standings) {
      const starts = lines[kind][standing].get(lane);
      if (starts?.delete(start) && starts.size === 0) lines[kind][standing].delete(lane);
    }
  }

  return {
    running: () => all.running,
    waiting: () =>
      kinds.map((kind) => {
        const inEachLane = standings.flatMap((standing) => [...lines[kind][standing].values()]);
        return [kind, inEachLane.reduce((sum, { size }) => sum + size, 0)];
      }),

    tryAcquire,

    acquire(lane, kind, signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      const free = tryAcquire(lane, kind);
      if (free) return Promise.resolve(free);
      const line = lines[kind][standingOf(lane)];
      const starts = line.get(lane) ?? new Set();
      if (kind !== 'poll' && starts.size >= maxWaiting) return Promise.reject(queueFull());
      line.set(lane, starts);
      return new Promise((resolve, reject) => {
        const stopWaiting = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', leave);
          leaveLine(lane, kind, start);
        };
        const start = (standing: Standing) => {
          stopWaiting();
          resolve(occupy(lane, kind, standing));
        };
        const leave = () => {
          stopWaiting();
          reject(signal.reason);
        };
        const giveUp = () => {
          stopWaiting();
          reject(noSlotForUpload(maxUploadWaitMs));
        };
        const timer = kind === 'upload' ? setTimeout(giveUp, maxUploadWaitMs) : undefined;
        signal.addEventListener('abort', leave, { once: true });
        starts.add(start);
      });
    },
  };
}

/** Calls of one kind that wait, by standing and lane, and which standing is served first. */
function newLine() {
  return {
    accepted: new Map<Lane, Set<Start>>(),
    unproven: new Map<Lane, Set<Start>>(),
    turns: ['accepted', 'unproven'] as readonly Standing[],
  };
}

function hasRoom(held: Held, bound: Held, kind: Kind): boolean {
  return held.running < bound.running && (kind !== 'upload' || held.uploads < bound.uploads);
}

function add(held: Held, kind: Kind, count: 1 | -1): void {
  held.running += count;
  if (kind === 'upload') held.uploads += count;
}

function atLeastOne(share: number): number {
  return Math.max(1, Math.floor(share));
}

function queueFull(): GatewayError {
  return new GatewayError({
    code: 'RATE_LIMITED',
    message: 'Too many calls of this caller are waiting for the document service; nothing was sent.',
    retryable: true,
    retryAfterMs: 1_000,
  });
}

function noSlotForUpload(waitedMs: number): GatewayError {
  return new GatewayError({
    code: 'UPSTREAM_UNAVAILABLE',
    message: `No upload could begin within ${waitedMs / 1_000} s: too many are in progress; nothing was sent.`,
    retryable: true,
    retryAfterMs: 1_000,
  });
}
