/** Gateways with one Redis and different values of LANE_SECRET share nothing, and would not notice. */
import type { Log } from '../telemetry/log.ts';
import type { FleetSecrets } from './fleet-secrets.ts';
import type { SharedRedis } from './redis.ts';
import { runScript } from './redis-script.ts';

/** Name of the entry that has the fingerprints of the secrets of each gateway, whichever they are. */
const name = 'folio:secrets';
/** How long a gateway counts as running after its last check (ms). */
const runningMs = 15_000;

/**
 * Adds ARGV[1], and returns all that gateways have added in the last ARGV[2] ms. Other programs can write many or other values:
 * they are removed.
 */
const addScript = `
local time = redis.call('TIME')
local now, ttl = time[1] * 1000 + math.floor(time[2] / 1000), tonumber(ARGV[2])
if redis.call('HLEN', KEYS[1]) > 100 then redis.call('DEL', KEYS[1]) end
redis.call('HSET', KEYS[1], ARGV[1], now)
redis.call('PEXPIRE', KEYS[1], ttl)
local known, running = redis.call('HGETALL', KEYS[1]), {}
for at = 1, #known, 2 do
  local since = math.abs(now - (tonumber(known[at + 1]) or 0))
  if since < ttl then running[#running + 1] = known[at] else redis.call('HDEL', KEYS[1], known[at]) end
end
return running`;

/**
 * Returns a function to call every few seconds. It logs an error when a gateway that runs has no secret in common with this one,
 * once until none does. Gateways with both secrets of a rotation have one in common with all others.
 */
export function createSecretCheck(
  { commands }: Pick<SharedRedis, 'commands'>,
  secrets: FleetSecrets,
  log: Pick<Log, 'error'>,
) {
  let isReported = false;
  return async () => {
    const own = [secrets.current(), secrets.former()].flatMap(
      (keys) => keys?.box.fingerprint(name, []) ?? [],
    );
    const running = await runScript(commands, addScript, [name], [own.join(), runningMs]);
    const isForeign = (added: unknown) =>
      !String(added)
        .split(',')
        .some((one) => own.includes(one));
    const isOther = (running as unknown[]).some(isForeign);
    if (isOther && !isReported) log.error('other gateways with this redis have another LANE_SECRET');
    isReported = isOther;
  };
}
