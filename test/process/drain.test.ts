/** What callers of a gateway see while it stops. */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { openMsOf, spreadMsOf } from '../../src/http/drain.ts';
import { alice, scanCard } from '../support/gateway.ts';
import { serviceForFile } from '../support/lifetimes.ts';
import { type GatewayProcess, killProcesses, startProcess } from '../support/process.ts';
import * as does from '../support/service.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const soon = { timeout: 20_000, interval: 10 };
const write = 'mutation { createGroup(input: {}) { ... on Group { id } } }';
const read = '{ mexicoValidation(by: { documentId: "1" }) { result } }';
const json = { ...alice, 'content-type': 'application/json' };

const created = { data: { createGroup: { id: '1' } } };
const service = await serviceForFile(does.json(200, { createGroup: { id: 1 } }));
afterEach(killProcesses);

const start = (more: Record<string, string>) =>
  startProcess({ UPSTREAM_URL: service.url, NODE_ENV: 'production', ...more });

/** Sends requests over one connection, and reports each as refused if the connection cannot be used. */
function openConnection(gateway: GatewayProcess) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return async (query: string) => {
    const sent = request(gateway.url, { method: 'POST', agent, headers: json });
    sent.end(JSON.stringify({ query }));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const body = JSON.parse(Buffer.concat(await response.toArray()).toString());
    return { status: response.statusCode, connection: response.headers.connection, body };
  };
}

const ended = 'requests ended at the end of the grace time';

async function isListening(gateway: GatewayProcess): Promise<boolean> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  const connected = once(socket, 'connect').then(
    () => true,
    () => false,
  );
  return await connected.finally(() => socket.destroy());
}

it('a gateway that stops listens no more, serves a request on an open connection, and asks to close that', async () => {
  // The time for requests on open connections is a twelfth of it.
  const gateway = await start({ SHUTDOWN_GRACE_MS: '36000' });
  const send = openConnection(gateway);
  expect(await send(write)).toMatchObject({ status: 200, connection: 'keep-alive' });
  gateway.process.kill('SIGTERM');
  await vi.waitFor(async () => expect(await isListening(gateway)).toBe(false), soon);
  expect(await send(write)).toEqual({ status: 200, connection: 'close', body: created });
  expect(await gateway.exited).toBe(0);
});

it('a gateway that stops serves for SHUTDOWN_DELAY_MS with /ready at 503 and connections that close', async () => {
  const gateway = await start({ SHUTDOWN_DELAY_MS: '1000', METRICS_PORT: '0' });
  gateway.process.kill('SIGTERM');
  const ready = (from = gateway.origin) => fetch(`${from}/ready`);
  await vi.waitFor(async () => expect((await ready()).status).toBe(503), soon);
  expect(await (await ready()).json()).toEqual({ status: 'draining', degraded: [] });
  expect((await ready(gateway.metrics.origin)).status).toBe(503);
  expect((await fetch(`${gateway.metrics.origin}/health`)).status).toBe(200);
  const { status, headers, data } = await gateway.ask(write);
  expect([status, headers.get('connection'), { data }]).toEqual([200, 'close', created]);
  expect(await gateway.exited).toBe(0);
  await expect(ready()).rejects.toThrow();
});

const unknown = { code: 'OUTCOME_UNKNOWN', sideEffect: 'POSSIBLE', retryable: false };
it.each([
  ['write that was sent', ({ ask }: GatewayProcess) => ask(write), unknown],
  ['scan that was sent', scanCard, unknown],
  [
    'read',
    ({ ask }: GatewayProcess) => ask(read),
    { code: 'SHUTTING_DOWN', sideEffect: 'NONE', retryable: true },
  ],
])(
  'a gateway that stops responds to a %s that outlasts SHUTDOWN_GRACE_MS',
  async (_what, send, extensions) => {
    const arrived = service.hold(() => {});
    const gateway = await start({ SHUTDOWN_GRACE_MS: '600' });
    const response = send(gateway);
    await arrived;
    gateway.process.kill('SIGTERM');
    expect(await response).toMatchObject({ errors: [{ extensions }] });
    expect(await gateway.exited).toBe(0);
    expect(gateway.logged(ended)).toMatchObject([{ level: 'warn', ended: 1, cut: 0 }]);
  },
);

it.each([
  ['SIGTERM twice, as supervisors send it, finishes what is in progress', 'SIGTERM', 0],
  ['SIGINT twice, as the second Ctrl-C sends it, ends at once', 'SIGINT', 1],
] as const)('a gateway that gets %s', async (_what, signal, exitCode) => {
  const gateway = await start({ SHUTDOWN_GRACE_MS: '6000' });
  const arrived = service.hold(does.json(200, { createGroup: { id: 1 } }));
  const status = gateway.ask(write).then(
    (response) => response.status,
    () => undefined,
  );
  const respond = await arrived;
  gateway.process.kill(signal);
  await vi.waitFor(async () => expect(await isListening(gateway)).toBe(false), soon);
  gateway.process.kill(signal);
  if (exitCode === 1) expect(await gateway.exited).toBe(1);
  respond();
  expect(await status).toBe(exitCode === 0 ? 200 : undefined);
  expect(await gateway.exited).toBe(exitCode);
});

it('a gateway that stops refuses a request whose body is not complete at the end of SHUTDOWN_GRACE_MS, and counts it', async () => {
  const gateway = await start({ SHUTDOWN_GRACE_MS: '900' });
  const sent = request(gateway.url, { method: 'POST', headers: { ...json, 'content-length': 100 } });
  sent.write('{"query":');
  await sleep(300);
  gateway.process.kill('SIGTERM');
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  expect(JSON.parse(Buffer.concat(await response.toArray()).toString())).toMatchObject({
    errors: [{ extensions: { code: 'SHUTTING_DOWN', sideEffect: 'NONE', retryable: true } }],
  });
  expect(response.statusCode).toBe(503);
  expect(await gateway.exited).toBe(0);
  expect(gateway.logged(ended)).toMatchObject([{ ended: 1, cut: 0 }]);
  expect(gateway.logged('stopped')).toMatchObject([{ refused: 1 }]);
});

it.each([
  [3_000, 1_000, 250],
  [36_000, 12_000, 3_000],
  [300_000, 12_000, 3_000],
])(
  'of a grace time of %i ms, sockets are closed over a third, at most 12 s, and open connections serve for a twelfth, at most 3 s',
  (graceMs, spreadMs, openMs) => {
    expect([spreadMsOf(graceMs), openMsOf(graceMs)]).toEqual([spreadMs, openMs]);
  },
);
