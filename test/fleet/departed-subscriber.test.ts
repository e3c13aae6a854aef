/** No poll starts for a subscriber who disconnects while the gateway waits for Redis. */
import { once } from 'node:events';
import { beforeAll, describe, expect, it } from 'vitest';
import { alice, bob, post, quickPolls, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { redisForFile, serviceForFile } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import { fleetOf, hasRedis, type SlowRedis, startSlowRedis } from '../support/redis.ts';
import * as does from '../support/service.ts';
import { connectedSocket, type TestSocket } from '../support/websocket.ts';

const subscription = (documentId: string) =>
  `subscription { malaysiaStatusChanged(documentId: "${documentId}") { state } }`;

const redis = await redisForFile();
const service = await serviceForFile(does.json(200, { status: 'queued' }));

describe.skipIf(!hasRedis())('a subscriber who disconnects while the rate limiter waits for Redis', () => {
  let slow: SlowRedis;
  let gateway: TestGateway;

  beforeAll(async () => {
    slow = await startSlowRedis(redis);
    const settings = { ...fleetOf(slow), RATE_LIMIT_PER_MINUTE: '1000', ...quickPolls };
    gateway = await startTestGateway({ UPSTREAM_URL: service.url, ...settings });
    return async () => {
      await gateway.close();
      await slow.close();
    };
  });

  const pollsOf = (documentId: string) =>
    service.received.filter(({ path }) => path.endsWith(`/status/${documentId}`)).length;

  /** Other polls are made in this time, so a poll for the departed subscriber would be visible. */
  async function expectNoPoll(): Promise<void> {
    const socket = await connectedSocket(gateway, bob);
    socket.subscribe('stays', subscription('5'));
    await expect.poll(() => pollsOf('5')).toBeGreaterThan(10);
    socket.raw.terminate();
    await expect.poll(() => metricOf(gateway, 'folio_watches')).toBe(0);
    expect(await metricOf(gateway, 'folio_subscriptions')).toBe(0);
    expect(pollsOf('99')).toBe(0);
  }

  it('causes no poll over an event stream', async () => {
    slow.hold();
    const leaving = new AbortController();
    const headers = { ...alice, accept: 'text/event-stream' };
    const subscribing = post(gateway, { query: subscription('99') }, headers, { signal: leaving.signal });
    await slow.waiting();
    leaving.abort();
    await subscribing.catch(() => {});
    await expect.poll(() => metricOf(gateway, 'folio_sockets{kind="event-stream"}')).toBe(0);
    slow.release();
    await expectNoPoll();
  });

  /** A WebSocket with a subscription that waits for Redis. */
  async function waitingSocket(): Promise<TestSocket> {
    const socket = await connectedSocket(gateway);
    slow.hold();
    socket.subscribe('leaves', subscription('99'));
    await slow.waiting();
    return socket;
  }

  it('causes no poll over a WebSocket', async () => {
    const socket = await waitingSocket();
    socket.raw.terminate();
    await expect.poll(() => metricOf(gateway, 'folio_sockets{kind="websocket"}')).toBe(0);
    slow.release();
    await expectNoPoll();
  });

  it('causes no poll by completing the subscription, and the socket remains usable', async () => {
    const socket = await waitingSocket();
    socket.send({ type: 'complete', id: 'leaves' });
    socket.send({ type: 'ping' });
    expect(await socket.message()).toEqual({ type: 'pong' });
    slow.release();
    socket.subscribe('next', '{ __typename }');
    expect((await socket.messageOf('next')).payload.data).toEqual({ __typename: 'Query' });
    socket.raw.terminate();
    await once(socket.raw, 'close').catch(() => {});
    await expectNoPoll();
  });
});
