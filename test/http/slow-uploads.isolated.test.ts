import { once } from 'node:events';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { multipartBody } from '../../src/upstream/multipart.ts';
import { sendUpload, startTestGateway, type TestGateway, upload } from '../support/gateway.ts';
import { metricOf } from '../support/metric.ts';
import * as does from '../support/service.ts';

const KiB = 1024;

describe('an upload', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  /** Sends a file of which the caller sends, or the service reads, one chunk a second. Returns how it ended. */
  async function uploadOf(
    bytes: number,
    { perSecond, slow }: { perSecond: number; slow: 'caller' | 'service' },
  ) {
    const second = () => new Promise((resolve) => setTimeout(resolve, 1_000));
    async function* content(): AsyncGenerator<Uint8Array> {
      for (let sent = 0; sent < bytes; sent += perSecond) {
        if (slow === 'caller') await second();
        yield Buffer.alloc(Math.min(perSecond, bytes - sent));
      }
    }
    const part = { name: 'files', filename: 'a', contentType: 'image/png', content: content() };
    const { body } = multipartBody({}, part, { operation: 'scanIdentityCard' });
    const stream = body.open(() => {});
    const read = (async () => {
      for await (const _chunk of stream) if (slow === 'service') await second();
    })().catch(() => {});
    let seconds = 0;
    const isOver = () => stream.readableEnded || body.signal.aborted;
    while (!isOver() && seconds < 10_000) {
      await vi.advanceTimersByTimeAsync(1_000);
      seconds += 1;
    }
    if (body.signal.aborted) stream.destroy();
    await vi.runAllTimersAsync();
    await read;
    expect(vi.getTimerCount()).toBe(0);
    return { seconds, reason: body.signal.reason };
  }

  it('slower than 64 KiB a second is aborted after its first minute, without side effect', async () => {
    const { seconds, reason } = await uploadOf(100 * KiB * KiB, { perSecond: 600, slow: 'caller' });
    expect(reason).toMatchObject({
      code: 'BAD_REQUEST',
      sideEffect: 'NONE',
      retryable: true,
      httpStatus: 408,
    });
    expect(seconds).toBeGreaterThanOrEqual(60);
    expect(seconds).toBeLessThan(70);
  });

  it('of 40 KiB a second is aborted before three minutes', async () => {
    const { seconds, reason } = await uploadOf(100 * KiB * KiB, { perSecond: 40 * KiB, slow: 'caller' });
    expect(reason).toMatchObject({ code: 'BAD_REQUEST' });
    expect(seconds).toBeLessThan(180);
  });

  it('that takes less than a minute may be as slow as 1 KiB a second', async () => {
    expect(await uploadOf(59 * KiB, { perSecond: KiB, slow: 'caller' })).toMatchObject({ reason: undefined });
  });

  it('of 80 KiB a second may be of any length', async () => {
    const { seconds, reason } = await uploadOf(40 * KiB * KiB, { perSecond: 80 * KiB, slow: 'caller' });
    expect(reason).toBeUndefined();
    expect(seconds).toBeGreaterThan(500);
  });

  it('is not aborted as slow when the service reads it slowly', async () => {
    const { seconds, reason } = await uploadOf(4 * KiB * KiB, { perSecond: 8 * KiB, slow: 'service' });
    expect(reason).toBeUndefined();
    expect(seconds).toBeGreaterThan(200);
  });
});

describe('many slow uploads with invented keys', () => {
  /** A scan requires the API key only, so that a token of the caller would prove nothing. */
  const accepted = { 'x-api-key': 'accepted' };
  const scanned = does.json(200, { scanDocuments: { docId: 7, status: 'COMPLETED', data: {} } });
  const scan =
    'mutation ($file: Upload!) { scanIdentityCard(input: { file: $file, queueId: "1" }) { ... on ScanResult { documentId } } }';
  let service: does.TestService;
  let gateway: TestGateway;
  let crowd: ClientRequest[];
  beforeEach(async () => {
    service = await does.startService(scanned);
    // 16 slots: 8 for uploads, of which 4 for lanes never accepted and 2 for one lane.
    gateway = await startTestGateway({ UPSTREAM_URL: service.url, UPSTREAM_CONNECTIONS: '16' });
    crowd = [];
  });
  afterEach(async () => {
    for (const request of crowd) request.destroy();
    await gateway.close();
    await service.close();
  });

  /** Starts a scan that does not continue. Resolves when its connection is open. */
  async function begin(key: string): Promise<void> {
    const part = (headers: string, value: string) =>
      `--x\r\ncontent-disposition: form-data; ${headers}\r\n\r\n${value}`;
    const request = httpRequest(gateway.url, {
      method: 'POST',
      headers: {
        'x-api-key': key,
        'x-graphql-yoga-csrf': '1',
        'content-type': 'multipart/form-data; boundary=x',
      },
    });
    request.on('error', () => {});
    crowd.push(request);
    request.write(
      `${part('name="operations"', JSON.stringify({ query: scan, variables: { file: null } }))}\r\n` +
        `${part('name="map"', '{"0":["variables.file"]}')}\r\n` +
        part('name="0"; filename="a.png"', 'x'.repeat(3_000)),
    );
    await once(request, 'socket');
  }

  const metric = (name: string) => metricOf(gateway, name);
  const inProgress = () => metric('folio_uploads_in_flight');
  const send = (headers: Record<string, string>) =>
    sendUpload(
      gateway,
      upload(scan, { file: null }, 'variables.file', { bytes: 'abc', name: 'a.png' }),
      headers,
    );

  it('use at most half of the upload slots, and never delay the scan of an accepted caller', async () => {
    expect((await send(accepted)).data.scanIdentityCard.documentId).toBe('7');
    for (let index = 0; index < 40; index += 1) await begin(`invented-${index % 20}`);
    await vi.waitUntil(async () => (await inProgress()) === 40, { timeout: 10_000 });
    expect(await metric('folio_service_calls_in_flight')).toBe(4);
    for (let index = 0; index < 3; index += 1) {
      expect((await send(accepted)).data.scanIdentityCard.documentId).toBe('7');
    }
    expect(await metric('folio_service_calls_in_flight')).toBe(4);
  }, 20_000);

  it('leave slots for the reads of a new caller', async () => {
    for (let index = 0; index < 40; index += 1) await begin(`invented-${index}`);
    await vi.waitUntil(async () => (await inProgress()) === 40, { timeout: 10_000 });
    service.will(does.json(200, { status: 'queued' }));
    const { data } = await gateway.ask('{ malaysiaStatus(documentId: "1") { state } }');
    expect(data.malaysiaStatus.state).toBe('QUEUED');
  }, 20_000);

  it('of one accepted caller use at most a quarter of the upload slots', async () => {
    const [one, other] = [{ 'x-api-key': 'accepted-1' }, { 'x-api-key': 'accepted-2' }];
    await send(one);
    for (let index = 0; index < 10; index += 1) await begin(one['x-api-key']);
    await vi.waitUntil(async () => (await inProgress()) === 10, { timeout: 10_000 });
    expect(await metric('folio_service_calls_in_flight')).toBe(2);
    expect((await send(other)).data.scanIdentityCard.documentId).toBe('7');
  }, 20_000);
});
