import { GatewayError } from '../errors.ts';
import type { Lane } from '../state/lane.ts';

export interface Places {
  /**
   * Waits for a place among the calls that run at the same time; the answer gives it back. A `poll` waits
   * behind every request. Rejects with RATE_LIMITED at once when the lane's queue is full, or with the
   * signal's reason.
   */
  take(lane: Lane, kind: 'request' | 'poll', signal: AbortSignal): Promise<() => void>;
}

export interface PlacesOptions {
  /** Calls at the same time, all lanes together. */
  readonly total: number;
  /** Calls at the same time in one lane. */
  readonly perLane: number;
  /** Requests of one lane that may wait; polls wait without a bound of their own. Default 1,000. */
  readonly maxWaiting?: number;
}

interface Queue {
  running: number;
  readonly requests: Set<() => void>;
  readonly polls: Set<() => void>;
}

/**
 * Places for calls, given to lanes in turn: whoever asks for much waits behind itself, never before others.
 */
export function createPlaces({ total, perLane, maxWaiting = 1_000 }: PlacesOptions): Places {
  const queues = new Map<Lane, Queue>();
  let running = 0;

  /** A Map keeps the order of insertion: a served lane goes to the end of the round. */
  function serve(): void {
    while (running < total) {
      const next = nextIn('requests') ?? nextIn('polls');
      if (next === undefined) return;
      next();
    }
  }

  function nextIn(kind: 'requests' | 'polls'): (() => void) | undefined {
    for (const [lane, queue] of queues) {
      if (queue.running >= perLane || queue[kind].size === 0) continue;
      const [start] = queue[kind];
      queues.delete(lane);
      queues.set(lane, queue);
      return start;
    }
    return undefined;
  }

  function release(lane: Lane, queue: Queue): void {
    running -= 1;
    queue.running -= 1;
    forgetIdle(lane, queue);
    serve();
  }

  function forgetIdle(lane: Lane, queue: Queue): void {
    if (queue.running + queue.requests.size + queue.polls.size === 0) queues.delete(lane);
  }

  return {
    take(lane, kind, signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      const queue = queues.get(lane) ?? { running: 0, requests: new Set(), polls: new Set() };
      queues.set(lane, queue);
      const waiting = kind === 'request' ? queue.requests : queue.polls;
      if (kind === 'request' && waiting.size >= maxWaiting) return Promise.reject(queueFull());
      return new Promise((resolve, reject) => {
        const start = () => {
          waiting.delete(start);
          signal.removeEventListener('abort', leave);
          running += 1;
          queue.running += 1;
          resolve(() => release(lane, queue));
        };
        const leave = () => {
          waiting.delete(start);
          forgetIdle(lane, queue);
          reject(signal.reason);
        };
        signal.addEventListener('abort', leave, { once: true });
        waiting.add(start);
        serve();
      });
    },
  };
}

function queueFull(): GatewayError {
  return new GatewayError({
    code: 'RATE_LIMITED',
    message: 'Too many calls of this caller are waiting for the document service; nothing was sent.',
    retryable: true,
    retryAfterMs: 1_000,
  });
}
