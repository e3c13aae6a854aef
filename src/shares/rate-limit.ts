/** Refuses operations beyond `RATE_LIMIT_PER_MINUTE`, counted in this process or by all gateways with one Redis. */
import type { Holder, Owner } from '../caller.ts';
import { tryAgainLater } from '../errors.ts';
import type { AcceptedLanes } from './accepted-lanes.ts';

export type RateLimit = ReturnType<typeof createRateLimit>;

/** Length of the interval in which operations are counted (ms). It begins with the first one. */
const intervalMs = 60_000;
/** Most owners of newcomers that are counted each by themselves in one interval, about 5 MB. */
const maxNewcomers = 10_000;
/** Characters of an owner by which further newcomers are counted together: 4,096 groups. */
const groupLength = 2;

/** Counts an operation under a key. Returns how many there are in the interval, and when that ends (ms from now). */
export type CountOperation = (
  key: string,
  intervalMs: number,
) => Promise<readonly [count: number, endsInMs: number]>;

/** Counts in this process. */
function createCounter() {
  /** In the order of their ends. */
  const intervals = new Map<string, { count: number; readonly endsAt: number }>();
  return (key: string) => {
    const now = performance.now();
    for (const [ended, { endsAt }] of intervals) {
      if (endsAt > now) break;
      intervals.delete(ended);
    }
    const interval = intervals.getOrInsertComputed(key, () => ({ count: 0, endsAt: now + intervalMs }));
    interval.count += 1;
    return [interval.count, interval.endsAt - now] as const;
  };
}

/**
 * Limits the operations per minute of each owner; 0: no limit. `countTogether`: for gateways with one Redis; when it rejects, this
 * one counts alone. A newcomer who invents credentials for each operation is another owner each time: beyond the first 10,000 in a
 * minute, 4,096 groups of them have the limit of one owner each.
 */
export function createRateLimit(
  operationsPerMinute: number,
  acceptedLanes: Pick<AcceptedLanes, 'has'>,
  countTogether?: CountOperation,
) {
  if (operationsPerMinute === 0) return { count: () => undefined };
  const countAlone = createCounter();
  let newcomers = new Set<Owner>();
  let countedSince = performance.now();

  function keyOf({ lane, owner }: Holder): string {
    if (acceptedLanes.has(lane)) return owner;
    if (performance.now() - countedSince >= intervalMs) {
      newcomers = new Set();
      countedSince = performance.now();
    }
    if (newcomers.size < maxNewcomers) newcomers.add(owner);
    return newcomers.has(owner) ? owner : owner.slice(0, groupLength);
  }

  return {
    /** Counts an operation of the owner. Rejects with RATE_LIMITED if it exceeds the limit. */
    async count(holder: Holder) {
      const key = keyOf(holder);
      const together = await countTogether?.(key, intervalMs).catch(() => undefined);
      const [count, retryAfterMs] = together ?? countAlone(key);
      if (count <= operationsPerMinute) return;
      const message = `More than ${operationsPerMinute} operations in a minute. Nothing was done. Try again later.`;
      const bound = key === holder.owner ? 'rate-owner' : 'rate-newcomers';
      throw tryAgainLater(bound, message, { retryAfterMs, httpStatus: 429 });
    },
  };
}
