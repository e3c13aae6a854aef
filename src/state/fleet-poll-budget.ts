/** The budget of polls per second from which all gateways with one Redis take. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { SharedRedis } from './redis.ts';
import { runScript } from './redis-script.ts';

export type FleetPollBudget = ReturnType<typeof createFleetPollBudget>;

/**
 * A token bucket by the clock of Redis, because gateways share no clock. It also holds how many callers have waited at each
 * gateway in this second, and at all gateways in the second before. The first command that writes is one that a full Redis
 * accepts, which then accepts the others too. A value that no gateway wrote counts as none. ARGV: tokens per second, which is
 * also the size of the bucket, wanted, gateway, callers.
 */
const takeScript = `
local function number(text)
  local value = tonumber(text)
  if value and value >= 0 and value < math.huge then return value end
end
local time = redis.call('TIME')
local second, now = tonumber(time[1]), time[1] + time[2] / 1000000
local rate, wanted, callers = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[4])
local state = redis.call('HMGET', KEYS[1], 'tokens', 'at', 'second', 'waiting', 'before', 'of ' .. ARGV[3])
local tokens, at = number(state[1]) or rate, number(state[2]) or now
local waiting, before, own = number(state[4]) or 0, number(state[5]) or 0, number(state[6]) or 0
local counted = number(state[3])
if counted ~= second then
  redis.call('DEL', KEYS[1])
  before = counted == second - 1 and waiting or 0
  waiting, own = 0, 0
end
waiting = waiting + math.max(0, callers - own)
tokens = math.min(rate, tokens + math.max(0, now - at) * rate)
local share = math.ceil(tokens * callers / math.max(waiting, before))
local taken = math.min(wanted, math.floor(tokens), share)
redis.call('PEXPIRE', KEYS[1], 2000)
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens - taken), 'at', string.format('%.6f', now),
  'second', second, 'waiting', waiting, 'before', before, 'of ' .. ARGV[3], math.max(own, callers))
redis.call('PEXPIRE', KEYS[1], 2000)
return taken`;

/** `key`: its name in Redis. `perSecond`: the rate, and how many can be taken at once after a pause of a second. */
export function createFleetPollBudget(
  { commands }: Pick<SharedRedis, 'commands'>,
  key: string,
  perSecond: number,
) {
  const self = randomUUID();
  return {
    /**
     * Takes a batch of at most `wanted` for a number of callers that wait here, and at most their share of what is left:
     * all callers that wait at any gateway get the same. Returns how many were taken; undefined if the other gateways cannot be asked.
     */
    async take(wanted: number, callers: number) {
      try {
        const reply = await runScript(commands, takeScript, [key], [perSecond, wanted, self, callers]);
        return z.number().parse(reply);
      } catch {
        return undefined;
      }
    },
  };
}
