import { createServer } from 'node:net';
import { expect, it, vi } from 'vitest';
import { parseRedisAddress, type RedisAddress } from '../../src/config/redis-address.ts';
import { connectRedis } from '../../src/state/redis.ts';
import { redisProblem } from '../../src/state/redis-check.ts';
import { startFakeRedis } from '../support/fake-redis.ts';
import { forTest } from '../support/lifetimes.ts';
import { listen } from '../support/listen.ts';
import { silentLog } from '../support/redis.ts';

const address = (url: string) => parseRedisAddress(url) as RedisAddress;
const replying = async (command: string, reply: string | null) =>
  forTest(
    await startFakeRedis((name) => (name === command ? reply && Buffer.from(`-${reply}\r\n`) : undefined)),
  );

const checkAccess = ': check sentinelUsername and sentinelPassword';

it.each([
  ['auth', 'WRONGPASS invalid username-password pair', `a sentinel replied WRONGPASS${checkAccess}`],
  ['sentinel', 'NOAUTH Authentication required.', `a sentinel replied NOAUTH${checkAccess}`],
  ['sentinel', null, 'its sentinels know no primary of this name'],
])('--check of sentinels that reply to %s %j says what to correct', async (command, reply, problem) => {
  const { port } = await replying(command, reply);
  const url = `redis+sentinel://127.0.0.1:${port}/mymaster?sentinelPassword=of-sentinel`;
  expect(await redisProblem(address(url), 0)).toBe(problem);
  const warn = vi.fn();
  forTest(await connectRedis(address(url), Object.assign(Object.create(silentLog), { warn })));
  const code = reply?.split(' ')[0];
  expect(warn, 'in the log').toHaveBeenCalledWith(expect.objectContaining({ reply: code }), 'redis lost');
});

it.each([
  ['sentinel', '/mymaster', 'none of its sentinels can be reached'],
  ['cluster', '', 'none of its nodes can be reached'],
])('--check of a %s that cannot be reached says so', async (kind, name, problem) => {
  expect(await redisProblem(address(`redis+${kind}://127.0.0.1:1${name}`), 0)).toBe(problem);
});

it.each([
  [
    '://',
    'eval',
    "ERR unknown command 'eval'",
    'it lacks commands of Redis: for a sentinel use redis+sentinel://',
  ],
  ['://', 'eval', 'MOVED 42 10.0.0.1:6379', 'it is a node of a cluster: use redis+cluster://'],
  [
    '+cluster://',
    'cluster',
    'ERR This instance has cluster support disabled',
    'it is not a cluster: use redis://',
  ],
  ['+sentinel://', 'sentinel', "ERR unknown command 'sentinel'", 'it is not a sentinel: use redis://'],
  ['://', 'select', 'ERR DB index is out of range', 'it has no database of this number'],
])('--check of redis%s at a server of another kind says which: %s replies %j', async (...row) => {
  const [form, command, reply, problem] = row;
  const { port } = await replying(command, reply);
  const name = { '://': '/7', '+sentinel://': '/mymaster' }[form] ?? '';
  expect(await redisProblem(address(`redis${form}127.0.0.1:${port}${name}`), 0)).toBe(problem);
});

it('--check of a Redis that ends connections says so', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.resume().end('-DENIED Redis is running in protected mode\r\n');
  });
  const { port } = forTest(await listen(server));
  expect(await redisProblem(address(`redis://127.0.0.1:${port}`), 0)).toBe(
    'it ends connections, as above its maxclients, in protected mode, or where it expects TLS (rediss://)',
  );
});

it('--check of a Redis without TLS, which waits for the end of a command, says so', async () => {
  const { port } = forTest(await listen(createServer((socket) => socket.on('error', () => {}).resume())));
  expect(await redisProblem(address(`rediss://127.0.0.1:${port}`), 0)).toBe(
    'it does not reply in time, as a server without TLS',
  );
});

it('a Redis that comes back and refuses the password is logged with its reply, once', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    if (connections === 1) socket.destroy();
    socket.on('error', () => {}).on('data', () => socket.write('-WRONGPASS invalid password\r\n'));
  });
  const { port } = forTest(await listen(server));
  const warn = vi.fn();
  const log = Object.assign(Object.create(silentLog), { warn });
  forTest(await connectRedis(address(`redis://:password@127.0.0.1:${port}`), log));
  await vi.waitUntil(() => connections > 4, { timeout: 20_000 });
  expect(warn.mock.calls.map(([{ reply }, message]) => [reply, message])).toEqual([
    [undefined, 'redis lost'],
    ['WRONGPASS', 'redis lost'],
  ]);
});
