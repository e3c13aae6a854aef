/** One memory budget of the process for the responses of the service that are being read. */
import type { Lane } from '../../caller.ts';

/** Bytes of each response that are not counted: 64 KiB, which most responses do not reach. */
const freeBytes = 64 * 1_024;

export interface ResponseBudget {
  /** Counts one more response. `giveUp` is called when the budget is exceeded: it must stop reading. */
  open(lane: Lane, giveUp: () => void): ResponseShare;
}

export interface ResponseShare {
  /** Sets the bytes that the response holds. May give up responses, including this one. */
  hold(bytes: number): void;
  close(): void;
}

interface OpenResponse {
  readonly lane: Lane;
  readonly giveUp: () => void;
  bytes: number;
}

/**
 * When the budget is exceeded, the largest response of the lane that holds most is given up. So a caller who reads many
 * large responses at the same time competes with themselves.
 */
export function createResponseBudget(maxBytes: number): ResponseBudget {
  const responses = new Set<OpenResponse>();
  let total = 0;

  function giveUpLargest(): void {
    const byLane = new Map<Lane, number>();
    for (const { lane, bytes } of responses) byLane.set(lane, (byLane.get(lane) ?? 0) + bytes);
    const most = Math.max(...byLane.values());
    const largest = [...responses]
      .filter(({ lane }) => byLane.get(lane) === most)
      .reduce((larger, response) => (response.bytes > larger.bytes ? response : larger));
    close(largest);
    largest.giveUp();
  }

  function close(response: OpenResponse): void {
    if (responses.delete(response)) total -= response.bytes;
  }

  return {
    open(lane, giveUp) {
      const response: OpenResponse = { lane, giveUp, bytes: 0 };
      return {
        hold(held) {
          if (held <= freeBytes) return;
          if (response.bytes === 0) responses.add(response);
          if (!responses.has(response)) return;
          total += held - response.bytes;
          response.bytes = held;
          while (total > maxBytes && responses.size > 0) giveUpLargest();
        },
        close: () => close(response),
      };
    },
  };
}
