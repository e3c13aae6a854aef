import { GatewayError } from '../errors.ts';
import type { Lane } from '../state/lane.ts';

const kinds = ['request', 'upload', 'poll'] as const;
type Kind = (typeof kinds)[number];

export interface Places {
  /**
   * Waits for a place among the calls that run at the same time; the answer gives it back. An `upload`
   * takes one of at most half of the places: it lasts as long as its caller likes. A `poll` waits behind all. Rejects with RATE_LIMITED at once when the lane's queue is full, or with the
   * signal's reason.
   */
  take(lane: Lane, kind: Kind, signal: AbortSignal): Promise<() => void>;
  /** The same where a place is free; undefined where it would have to be waited for. */
  takeFree(lane: Lane, kind: Kind): (() => void) | undefined;
  /** How many places are taken. */
  running(): number;
  /** How many wait for one, by kind. */
  waiting(): [Kind, number][];
}

export interface PlacesOptions {
  /** Calls at the same time, all lanes together. */
  readonly total: number;
  /** Calls at the same time in one lane. */
  readonly perLane: number;
  /** Requests, and uploads, of one lane that may wait; polls wait without a bound of their own. Default 200. */
  readonly maxWaiting?: number;
}

interface Queue {
  running: number;
  readonly waiting: Readonly<Record<Kind, Set<() => void>>>;
}

/**
 * Places for calls, given to lanes in turn: whoever asks for much waits behind itself, never before others.
 */
export function createPlaces({ total, perLane, maxWaiting = 200 }: PlacesOptions): Places {
  const queues = new Map<Lane, Queue>();
  let running = 0;
  let uploads = 0;

  /** A Map keeps the order of insertion: a served lane goes to the end of the round. */
  function serve(): void {
    while (running < total) {
      const next = nextIn('request') ?? (isFree('upload') ? nextIn('upload') : undefined) ?? nextIn('poll');
      if (next === undefined) return;
      next();
    }
  }

  function nextIn(kind: Kind): (() => void) | undefined {
    for (const [lane, queue] of queues) {
      if (queue.running >= perLane || queue.waiting[kind].size === 0) continue;
      const [start] = queue.waiting[kind];
      queues.delete(lane);
      queues.set(lane, queue);
      return start;
    }
    return undefined;
  }

  function isFree(kind: Kind): boolean {
    return running < total && (kind !== 'upload' || uploads < total / 2);
  }

  function queueOf(lane: Lane): Queue {
    const queue = queues.get(lane) ?? newQueue();
    queues.set(lane, queue);
    return queue;
  }

  /** Whoever waits, waits for its own lane: nobody is passed over. */
  function takeFree(lane: Lane, kind: Kind): (() => void) | undefined {
    if (!isFree(kind)) return undefined;
    const queue = queueOf(lane);
    return queue.running < perLane ? occupy(lane, queue, kind) : undefined;
  }

  function occupy(lane: Lane, queue: Queue, kind: Kind): () => void {
    running += 1;
    queue.running += 1;
    if (kind === 'upload') uploads += 1;
    return () => release(lane, queue, kind);
  }

  function release(lane: Lane, queue: Queue, kind: Kind): void {
    running -= 1;
    if (kind === 'upload') uploads -= 1;
    queue.running -= 1;
    forgetIdle(lane, queue);
    serve();
  }

  function forgetIdle(lane: Lane, queue: Queue): void {
    const { request, upload, poll } = queue.waiting;
    if (queue.running + request.size + upload.size + poll.size === 0) queues.delete(lane);
  }

  return {
    running: () => running,
    waiting: () =>
      kinds.map((kind) => {
        const inEachLane = [...queues.values()].map(({ waiting }) => waiting[kind].size);
        return [kind, inEachLane.reduce((sum, size) => sum + size, 0)];
      }),

    takeFree,

    take(lane, kind, signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      const free = takeFree(lane, kind);
      if (free) return Promise.resolve(free);
      const queue = queueOf(lane);
      const waiting = queue.waiting[kind];
      if (kind !== 'poll' && waiting.size >= maxWaiting) return Promise.reject(queueFull());
      return new Promise((resolve, reject) => {
        const start = () => {
          waiting.delete(start);
          signal.removeEventListener('abort', leave);
          resolve(occupy(lane, queue, kind));
        };
        const leave = () => {
          waiting.delete(start);
          forgetIdle(lane, queue);
          reject(signal.reason);
        };
        signal.addEventListener('abort', leave, { once: true });
        waiting.add(start);
      });
    },
  };
}

function newQueue(): Queue {
  return { running: 0, waiting: { request: new Set(), upload: new Set(), poll: new Set() } };
}

function queueFull(): GatewayError {
  return new GatewayError({
    code: 'RATE_LIMITED',
    message: 'Too many calls of this caller are waiting for the document service; nothing was sent.',
    retryable: true,
    retryAfterMs: 1_000,
  });
}
