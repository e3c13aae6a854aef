import { describe, expect, it } from 'vitest';
import { connectRedis } from '../../src/state/redis.ts';
import { replyCodeOf } from '../../src/state/redis-error.ts';
import { runScript } from '../../src/state/redis-script.ts';
import { forTest, redisForFile } from '../support/lifetimes.ts';
import { hasRedis, silentLog } from '../support/redis.ts';

const redis = await redisForFile();

describe.skipIf(!hasRedis())('a script in Redis', () => {
  const run = async (script: string) => {
    const { commands } = forTest(await connectRedis({ kind: 'server', url: redis.url }, silentLog));
    return await runScript(commands, script, ['key'], ['first', 2]);
  };

  it.each([
    ['return {KEYS[1], ARGV[1], tonumber(ARGV[2])}', [Buffer.from('key'), Buffer.from('first'), 2]],
    ['return {}', []],
    ['return false', null],
    ['return 1 -- the end', 1],
  ])('that ends with %j returns its own result', async (script, result) => {
    expect(await run(script)).toEqual(result);
  });

  it.each([
    ["return redis.error_reply('ERR it has ended')", 'ERR'],
    ["return redis.call('HGET', KEYS[1])", 'ERR'],
    ["redis.call('SET', KEYS[1], '') return redis.call('HGET', KEYS[1], 'field')", 'WRONGTYPE'],
  ])('that fails with %j rejects with the code of its error', async (script, code) => {
    expect(await run(script).catch(replyCodeOf)).toBe(code);
  });
});
