/** One memory budget of the process for all request bodies that are being read. */
import type { IncomingMessage } from 'node:http';
import { type GatewayError, tryAgainLater } from '../../errors.ts';

/** Memory of a request without its body, estimated (bytes): 8 KiB, and 256 bytes for each header. */
export function requestBytes({ rawHeaders }: IncomingMessage): number {
  return 8 * 1024 + 128 * rawHeaders.length;
}

export interface BodyBudget {
  /** Counts one more body. `giveUp` is called when the budget is exceeded: it must stop reading and call `close`. */
  open(giveUp: (error: GatewayError) => void): BodyShare;
  /** Bytes that all open bodies hold. */
  bytes(): number;
}

export interface BodyShare {
  /** Sets the number of bytes that the body holds. May give up bodies, including this one. */
  hold(bytes: number): void;
  close(): void;
}

interface OpenBody {
  readonly startedAt: number;
  readonly giveUp: (error: GatewayError) => void;
  bytes: number;
}

/**
 * When the budget is exceeded, the body with the highest product of bytes and time is given up. Bodies that arrive
 * quickly are served however many others are incomplete: slow senders compete only with each other, whatever
 * connections and credentials they use.
 */
export function createBodyBudget(maxBytes: number): BodyBudget {
  const bodies = new Set<OpenBody>();
  let total = 0;

  function giveUpCostliest(): void {
    const now = performance.now();
    const costOf = ({ bytes, startedAt }: OpenBody) => bytes * (1 + now - startedAt);
    const costliest = bodies.values().reduce((one, other) => (costOf(other) > costOf(one) ? other : one));
    close(costliest);
    costliest.giveUp(
      tryAgainLater(
        'bodies',
        'Too many request bodies are being read: this one was dropped, and nothing was done. Send it again.',
        { retryAfterMs: 1_000, httpStatus: 503 },
      ),
    );
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
