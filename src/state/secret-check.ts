/** Gateways with one Redis and different values of LANE_SECRET share nothing, and would not notice. */
import type { Log } from '../telemetry/log.ts';
import type { FleetSecrets } from './fleet-secrets.ts';
import type { SharedRedis } from './redis.ts';
import { runScript } from './redis-script.ts';

/** Name of the entry that has the fingerprints of the secrets of each gateway, whichever they are. */
const name = 'folio:secrets';
/** How long a gateway counts as running after its last check (s). */
const runningSeconds = 15;

/**
 * Adds ARGV[1], and returns what gateways have added in the last ARGV[2] seconds, by the clock of Redis. There are few secrets. Other
 * programs can add longer texts: a reply with them would be too large, and the connection would be replaced.
 */
const addScript = `
local now = tonumber(redis.call('TIME')[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], now + 1, 'inf')
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
local secrets = {}
for _, secret in ipairs(redis.call('ZRANGE', KEYS[1], 0, 99)) do
  if #secret < 100 then table.insert(secrets, secret) end
end
return secrets`;

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
    const own = [secrets.current, secrets.former].flatMap((keys) => keys?.box.fingerprint(name, []) ?? []);
    const running = await runScript(commands, addScript, [name], [own.join(), runningSeconds]);
    const isForeign = (added: unknown) =>
      !String(added)
        .split(',')
        .some((one) => own.includes(one));
    const isOther = (running as unknown[]).some(isForeign);
    if (isOther && !isReported) log.error('other gateways with this redis have another LANE_SECRET');
    isReported = isOther;
  };
}
