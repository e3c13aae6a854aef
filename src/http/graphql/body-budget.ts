/** The memory of all request bodies that are being read, in one budget of the process. */
import { GatewayError } from '../../errors.ts';

export interface BodyBudget {
  /** Counts one more body. `giveUp` ends its reading when the budget has no room for it; it must call `close`. */
  open(giveUp: (error: GatewayError) => void): BodyShare;
  /** Bytes of all bodies that are being read. */
  bytes(): number;
}

export interface BodyShare {
  /** Sets how many bytes the body holds. May give up bodies, this one included. */
  hold(bytes: number): void;
  close(): void;
}

interface OpenBody {
  readonly startedAt: number;
  readonly giveUp: (error: GatewayError) => void;
  bytes: number;
}

/**
 * Where the budget is exceeded, the body that has used the most of it is given up: the most bytes for the longest
 * time. Bodies that arrive at once are served however many others are half sent, so a crowd of slow senders, under
 * any number of connections and credentials, competes with itself alone.
 */
export function createBodyBudget(maxBytes: number): BodyBudget {
  const bodies = new Set<OpenBody>();
  let total = 0;

  function giveUpCostliest(): void {
    const now = performance.now();
    let costliest: OpenBody | undefined;
    let highest = -1;
    for (const body of bodies) {
      const cost = body.bytes * (1 + now - body.startedAt);
      if (cost <= highest) continue;
      highest = cost;
      costliest = body;
    }
    if (!costliest) return;
    close(costliest);
    costliest.giveUp(tooManyBodies());
  }

  function close(body: OpenBody): void {
    if (bodies.delete(body)) total -= body.bytes;
  }

  return {
    bytes: () => total,
    open(giveUp) {
      const body: OpenBody = { startedAt: performance.now(), giveUp, bytes: 0 };
      bodies.add(body);
      return {
        hold(bytes) {
          if (!bodies.has(body)) return;
          total += bytes - body.bytes;
          body.bytes = bytes;
          while (total > maxBytes) giveUpCostliest();
        },
        close: () => close(body),
      };
    },
  };
}

function tooManyBodies(): GatewayError {
  return new GatewayError({
    code: 'RATE_LIMITED',
    message: 'Too many request bodies are being read; this one was given up, and nothing was done.',
    retryable: true,
    retryAfterMs: 1_000,
    httpStatus: 503,
  });
}
