/** Standard output without a reader: the gateway continues, and counts the lines that it drops. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { listenProblem } from '../../src/http/listen-problem.ts';
import { alice, startTestGateway } from '../support/gateway.ts';
import { forTest, temporaryFolder } from '../support/lifetimes.ts';
import { listen } from '../support/listen.ts';
import { metricOf } from '../support/metric.ts';
import {
  defaultEntry,
  type GatewayProcess,
  killProcesses,
  outputOf,
  runMain,
  startProcess,
} from '../support/process.ts';
import { openConnection, postOf } from '../support/raw-http.ts';

afterEach(killProcesses);

/** Sends so many operations with a long line in the log over one connection, and expects that each is served. */
async function expectServed(gateway: GatewayProcess, count = 1): Promise<void> {
  const body = JSON.stringify({ query: `query ${'n'.repeat(100)} { __typename }` });
  const application = { 'x-graphql-client-name': 'c'.repeat(64), 'x-graphql-client-version': 'v'.repeat(32) };
  const headers = { ...alice, ...application, 'x-request-id': 'r'.repeat(64) };
  const requests =
    postOf(body, headers).repeat(count - 1) + postOf(body, { ...headers, connection: 'close' });
  const responses = await (await openConnection(gateway.url, requests)).closed();
  expect(responses.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(count);
}

const production = { NODE_ENV: 'production', UPSTREAM_URL: 'sandbox', METRICS_PORT: '0' };

it('serves every request while standard output is stalled, counts the dropped lines, and exits', async () => {
  const gateway = await startProcess(production);
  const dropped = () => metricOf(gateway.metrics, 'folio_log_lines_dropped_total');
  expect(await dropped()).toBe(0);

  gateway.process.stdout?.pause();
  for (let round = 0; round < 1_000 && (await dropped()) === 0; round += 1) {
    await expectServed(gateway, 100);
    expect(await gateway.health()).toBe(200);
  }
  expect(await dropped()).toBeGreaterThan(0);

  const exited = once(gateway.process, 'exit');
  gateway.process.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

it('prints its address at any LOG_LEVEL, and exits when it is stopped after the reader of standard output has gone', async () => {
  const gateway = await startProcess({ ...production, LOG_LEVEL: 'error' });
  await expectServed(gateway);
  gateway.process.stdout?.destroy();
  expect(await gateway.stop()).toBe(0);
});

it('writes at most 100 characters of an operation’s name to the log', async () => {
  const gateway = forTest(await startTestGateway());
  await gateway.ask(`query ${'n'.repeat(50_000)} { __typename }`);
  expect(gateway.logged('operation')).toMatchObject([{ name: 'n'.repeat(100) }]);
  expect(gateway.log().join('').length).toBeLessThan(10_000);
});

describe('in production', () => {
  const parsed = (lines: readonly string[]) =>
    lines.map((line) => JSON.parse(line) as Record<string, unknown>);

  it('every line is JSON, also those of Node.js and of libraries, and none is lost when the process exits', async () => {
    const hook = `
      setTimeout(() => { console.warn('a library says %s', 'no'); process.emitWarning('deprecated'); }, 0).unref();
      setTimeout(() => console.log('later'), 2_000).unref();`;
    const gateway = await startProcess({
      ...production,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => { ${hook} });`)}`,
    });
    // On which Node would open a port for debuggers, and print its address.
    gateway.process.kill('SIGUSR1');
    await expect.poll(() => gateway.lines.join('\n')).toContain('SIGUSR1 has no effect');
    gateway.process.kill('SIGUSR2');
    await expect.poll(() => gateway.lines.join('\n')).toMatch(/a library says no[\s\S]*deprecated/);
    for (let round = 0; round < 10; round += 1) await expectServed(gateway, 20);
    expect(await gateway.stop()).toBe(0);
    const messages = parsed(gateway.lines).map(({ msg }) => String(msg));
    expect(messages.filter((message) => message === 'operation')).toHaveLength(200);
    expect(messages.join()).not.toContain('pino-pretty');
    for (const start of ['sandbox listening on ', 'metrics at ', 'listening on ', 'draining', 'stopped'])
      expect(messages.filter((message) => message.startsWith(start))).toHaveLength(1);
  });

  it('an error that prevents the start is a line of the log', async () => {
    const { port } = forTest(await listen(createServer()));
    const { code, text } = await outputOf(runMain({ ...production, PORT: String(port) }));
    expect(code).toBe(1);
    const reason = expect.stringContaining(`in use 127.0.0.1:${port}. End the program that listens there`);
    const expected = { level: 'fatal', err: { code: 'EADDRINUSE' }, reason, msg: 'not started' };
    expect(parsed(text.trim().split('\n')).at(-1)).toMatchObject(expected);
  });

  it.skipIf(!existsSync('/dev/full'))(
    'an invalid configuration ends the process with 78, also when the line does not fit on the disk',
    () => {
      const parameters = ['-c', 'exec "$0" "$1" > /dev/full', process.execPath, defaultEntry];
      const { status } = spawnSync('sh', parameters, { env: { ...production, PORT: 'x' } });
      expect(status).toBe(78);
    },
  );

  it('an error that prevents the start ends the process, also when nobody reads the line', async () => {
    const { port } = forTest(await listen(createServer()));
    const child = runMain({ ...production, PORT: String(port) });
    child.stdout?.destroy();
    expect(await once(child, 'exit')).toEqual([1, null]);
  });
});

describe('outside of production', () => {
  it('a port that is in use is named, with what to do, and without a stack', async () => {
    const { port } = forTest(await listen(createServer()));
    const { code, text } = await outputOf(runMain({ HOST: '127.0.0.1', PORT: String(port) }));
    expect(code).toBe(1);
    expect(text).toContain(`address already in use 127.0.0.1:${port}. End the program`);
    expect(text).not.toMatch(/^ +at /m);
  });

  it.each([
    ['a name without an address', 'none.invalid', 'none.invalid. Set HOST to an address of this'],
    ['an address of another machine', '192.0.2.1', '192.0.2.1. Set HOST to an address of this'],
  ])('%s is named, with what to do', async (_what, HOST, expected) => {
    const error: unknown = await startTestGateway({ HOST }).catch((reason: unknown) => reason);
    expect(listenProblem(error, HOST)).toContain(expected);
  });
});

describe('a process that waits for Redis before it listens', () => {
  async function startWaiting() {
    const silent = createServer((socket) => socket.resume());
    const { port } = forTest(await listen(silent));
    const redis = { REDIS_URL: `redis://127.0.0.1:${port}`, LANE_SECRET: 'secret-'.repeat(5) };
    // As of a library for traces that is loaded first.
    const hook = "process.on('SIGTERM', () => console.log('also called'))";
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hook)}`;
    const child = runMain({ ...production, ...redis, NODE_OPTIONS, PORT: '0' });
    const [socket] = await once(silent, 'connection');
    return { child, socket };
  }

  it('does not end on SIGHUP', async () => {
    const { child, socket } = await startWaiting();
    const output = outputOf(child);
    child.kill('SIGHUP');
    socket.destroy();
    for await (const line of createInterface(child.stdout as NodeJS.ReadableStream))
      if (line.includes('listening on')) child.kill('SIGKILL');
    expect((await output).text).toMatch(/log level changed[\s\S]*listening on/);
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)(
    'ends on %s with a handler, without which the first one of a container goes on',
    async (signal, status) => {
      const { child } = await startWaiting();
      const output = outputOf(child);
      child.kill(signal);
      const { code, text } = await output;
      expect([code, text.includes('also called')]).toEqual([status, signal === 'SIGTERM']);
    },
  );
});

it('SIGHUP sets the LOG_LEVEL of .env, and without one switches to debug and back', async () => {
  const cwd = temporaryFolder();
  const gateway = await startProcess(production, undefined, cwd);
  const levels = () => gateway.lines.flatMap((line) => /"logLevel":"(\w+)"/.exec(line)?.[1] ?? []);
  const hangUp = async (count: number) => {
    gateway.process.kill('SIGHUP');
    await expect.poll(() => levels().length).toBe(count);
  };
  await hangUp(1);
  await hangUp(2);
  // As Windows writes it, with a byte order mark.
  writeFileSync(join(cwd, '.env'), '\ufeffLOG_LEVEL=warn\r\n');
  await hangUp(3);
  expect(levels()).toEqual(['debug', 'info', 'warn']);
  await expectServed(gateway);
  writeFileSync(join(cwd, '.env'), 'LOG_LEVEL=loud\n');
  gateway.process.kill('SIGHUP');
  await expect.poll(() => gateway.lines.join('\n')).toContain('LOG_LEVEL must be');
  expect(await gateway.stop()).toBe(0);
  expect(gateway.logged('operation')).toEqual([]);
});
