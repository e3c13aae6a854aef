/** Counts the operations of callers for all gateways with one Redis. */
import type { CountOperation } from '../shares/rate-limit.ts';
import type { SharedRedis } from './redis.ts';
import { runScript } from './redis-script.ts';

/** ARGV[1]: the interval (ms). A count that lasts longer, as when the clock of Redis is set back, is given the whole interval. */
const countScript = `
local interval, count, ttl = tonumber(ARGV[1]), redis.call('INCR', KEYS[1]), redis.call('PTTL', KEYS[1])
if ttl < 0 or ttl > interval then
  redis.call('PEXPIRE', KEYS[1], interval)
  ttl = interval
end
return {count, ttl}`;

export function createFleetCounter({ commands }: Pick<SharedRedis, 'commands'>): CountOperation {
  return async (key, intervalMs) =>
    (await runScript(commands, countScript, [`folio:rate:${key}`], [intervalMs])) as [number, number];
}
