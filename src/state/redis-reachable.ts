/** Whether the shared Redis can be used, before a gateway is started. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from 'ioredis';
import type { RedisAddress } from '../config/redis-address.ts';
import { openCommands } from './redis-clients.ts';
import { replyCodeOf } from './redis-error.ts';

/** Longest wait for the connection and the reply (ms). */
const longestMs = 2_000;
const notInTime = 'it does not reply in time';

/** Why Redis does not reply to a PING within 2 s; undefined if it does. Contains no address and no credentials. */
export async function redisProblem(address: RedisAddress): Promise<string | undefined> {
  const commands = openCommands(address);
  const failed = Promise.withResolvers<string>();
  commands.on('error', (error) => failed.resolve(reasonOf(error)));
  const pinged = async () => {
    await commands.connect();
    await commands.ping();
    return undefined;
  };
  const tooLate = new AbortController();
  try {
    return await Promise.race([
      pinged().catch(reasonOf),
      failed.promise,
      sleep(longestMs, notInTime, { signal: tooLate.signal }),
    ]);
  } finally {
    tooLate.abort();
    if (commands instanceof Cluster) for (const node of commands.nodes()) node.disconnect();
    commands.disconnect();
  }
}

/** Redis's own first word, e.g. WRONGPASS, or the code of the connection's error. */
function reasonOf(error: unknown): string {
  const reply = replyCodeOf(error);
  if (reply) return `it replied ${reply}`;
  const { code } = error as NodeJS.ErrnoException;
  return code ? `it cannot be reached (${code})` : notInTime;
}
