/** Runs scripts in Redis, and believes only the replies to them. */
import { randomUUID } from 'node:crypto';
import type { Cluster, Redis } from 'ioredis';
import { replace } from './unreadable-replies.ts';

export type Parameter = string | number | Buffer;

/**
 * Returns what the script returns. Its reply has a mark: otherwise replies are matched to commands by their order alone, and after
 * a reply too many or too few each command would get the reply to another. Without the mark, replaces the connection and rejects.
 */
export async function runScript(
  connection: Redis | Cluster,
  script: string,
  keys: readonly string[],
  parameters: readonly Parameter[],
): Promise<unknown> {
  const mark = Buffer.from(randomUUID());
  const marked = `return {ARGV[#ARGV], (function() ${script}\nend)()}`;
  const reply = await connection.callBuffer('EVAL', marked, keys.length, ...keys, ...parameters, mark);
  const [found, result] = Array.isArray(reply) ? reply : [];
  if (!Buffer.isBuffer(found) || !found.equals(mark)) {
    const error = new Error('Redis has sent another reply than that to the script.');
    replace(connection, error);
    throw error;
  }
  if (result instanceof Error) throw result;
  return result ?? null;
}
