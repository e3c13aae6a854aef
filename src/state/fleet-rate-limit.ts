/** Counts the operations of callers for all gateways with one Redis. */
import { z } from 'zod';
import type { CountOperation } from '../shares/rate-limit.ts';
import type { Log } from '../telemetry/log.ts';
import type { SharedRedis } from './redis.ts';
import { replyCodeOf } from './redis-error.ts';
import { runScript } from './redis-script.ts';

/** ARGV[1]: the interval (ms). A count that lasts longer, as when the clock of Redis is set back, is given the whole interval. */
const countScript = `
local interval, count, ttl = tonumber(ARGV[1]), redis.call('INCR', KEYS[1]), redis.call('PTTL', KEYS[1])
if ttl < 0 or ttl > interval then
  redis.call('PEXPIRE', KEYS[1], interval)
  ttl = interval
end
return {count, ttl}`;

/** How many operations there are, and when the interval ends (ms from now). */
const countForm = z.tuple([z.number(), z.number()]);

/** Failures that follow each other sooner than this (ms) are one outage: a cluster can lack the primaries of some keys only. */
const outageMs = 60_000;

/** The function rejects when Redis does not count. The first failure of an outage is logged. */
export function createFleetCounter(
  { commands }: Pick<SharedRedis, 'commands'>,
  log: Pick<Log, 'warn'>,
): CountOperation {
  let failedAt = Number.NEGATIVE_INFINITY;
  return async (key, intervalMs) => {
    try {
      return countForm.parse(await runScript(commands, countScript, [`folio:rate:${key}`], [intervalMs]));
    } catch (error) {
      if (performance.now() - failedAt >= outageMs)
        log.warn({ err: error, reply: replyCodeOf(error) }, 'redis does not count operations');
      failedAt = performance.now();
      throw error;
    }
  };
}
