/** Operations of one caller that wait for the same read, each with its own deadline. */
import { type Dispatcher, Pool } from 'undici';
import { expect, it } from 'vitest';
import type { Caller } from '../../src/caller.ts';
import { statusEndpoint as endpoint } from '../../src/features/malaysia/malaysia.api.ts';
import { shareOf } from '../../src/shares/bound-sizes.ts';
import { LaneBudget } from '../../src/shares/lane-budget.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { Cancellation, type CancelSignal } from '../../src/tools/cancellation.ts';
import { createUpstreamClient } from '../../src/upstream/client.ts';
import { forFile, serviceForFile } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';
import { holder, sharesWith } from '../support/shares.ts';

const service = await serviceForFile(does.hang, does.json(200, 'the second response'));
const baseUrl = new URL(service.url);
const shares = sharesWith({ joins: shareOf('joins', 100), slots: shareOf('slots', 1) });
const clientWith = (readDeadlineMs: number, dispatcher: Dispatcher = forFile(new Pool(baseUrl.origin))) =>
  createUpstreamClient({
    baseUrl,
    shares,
    dispatcher,
    metrics: createMetrics('test'),
    joins: new LaneBudget(shares.of.joins, shares),
    readDeadlineMs,
    writeDeadlineMs: readDeadlineMs,
    scanDeadlineMs: readDeadlineMs,
    maxResponseBytes: 100_000,
    userAgent: 'test',
    onDrift() {},
  });
/** So long that a busy machine reads a response in what is left of it. */
const deadlineMs = 20_000;
const client = clientWith(deadlineMs);

/** Reads the same status for an operation that has so much time left (ms). */
function read(
  leftMs = deadlineMs,
  signal: CancelSignal = new Cancellation(),
  { documentId = '1', ...more }: Partial<Caller> & { documentId?: string } = {},
): Promise<unknown> {
  const waitedMs = deadlineMs - leftMs;
  const caller: Caller = { ...holder('alice'), requestId: 'request-1', signal, waitedMs, ...more };
  return client.call(caller, { endpoint, parameters: { documentId }, decode: (body) => body });
}

const timeout = { code: 'UPSTREAM_TIMEOUT', retryable: true };

it('operations that have joined a read whose time ends first share one other read, each for no longer than its own time', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const respond = does.json(200, 'the second response');
  service.will(does.hang, (request, response) => void released.then(() => respond(request, response)));
  const [early, sooner, later] = [read(500), read(800), read()];
  await expect(early).rejects.toMatchObject(timeout);
  await expect(sooner).rejects.toMatchObject(timeout);
  release();
  expect(await later).toBe('the second response');
  expect(service.received).toHaveLength(2);
});

it('the other read is aborted when the time of all who share it is over', async () => {
  service.will(does.hang);
  const reads = [read(500), read(800), read(1_000)];
  await expect(reads[0]).rejects.toMatchObject(timeout);
  const aborted = service.aborted();
  for (const each of reads.slice(1)) await expect(each).rejects.toMatchObject(timeout);
  await aborted;
  expect(service.received).toHaveLength(2);
});

it('a poll that waits for its slot for longer than a read may take is made when the slot is free', async () => {
  service.will(does.hang, does.hang, does.json(200, 'the third response'));
  const caller = { ...holder('alice'), requestId: 'request-1', signal: new AbortController().signal };
  const started: string[] = [];
  const { call } = clientWith(1_000);
  const [first, second, third] = ['1', '2', '3'].map((documentId) =>
    call(caller, {
      endpoint,
      parameters: { documentId },
      decode: (body) => body,
      isPoll: true,
      onStart: () => started.push(documentId),
    }),
  );
  expect(started).toEqual(['1']);
  await expect(first).rejects.toMatchObject(timeout);
  await expect(second).rejects.toMatchObject(timeout);
  expect(await third).toBe('the third response');
  expect(started).toEqual(['1', '2', '3']);
});

it('an operation that has joined a read and ends earlier waits no longer, and makes no other read', async () => {
  const controller = new AbortController();
  const [early, late] = [read(500), read(deadlineMs, controller.signal)];
  controller.abort(new Error('The operation has ended.'));
  await expect(late).rejects.toThrow('The operation has ended.');
  await expect(early).rejects.toMatchObject(timeout);
  expect(service.received).toHaveLength(1);
});

it('operations that join a read whose response is an error get this error, and make no other read', async () => {
  service.will(does.json(404, {}), does.json(200, 'the second response'));
  const results = [read(), read()];
  for (const result of results) await expect(result).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(service.received).toHaveLength(1);
});

it('an operation with too many others that wait for joined reads is refused, and nothing is sent for it', async () => {
  const first = read(500);
  // A quarter of all that may join. Their own time is over: none makes another read.
  const joined = Array.from({ length: 25 }, () => read(0));
  await expect(read(450)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    bound: 'joins-owner',
    httpStatus: 503,
  });
  for (const result of [first, ...joined]) await expect(result).rejects.toMatchObject(timeout);
  expect(service.received).toHaveLength(1);
  expect(await Promise.all([read(), read()])).toEqual(['the second response', 'the second response']);
});

/** A caller's signal that counts its listeners. */
class CountedCaller extends Cancellation {
  readonly listeners = new Set<() => void>();

  override addEventListener(type: 'abort', listener: () => void): void {
    this.listeners.add(listener);
    super.addEventListener(type, listener);
  }

  override removeEventListener(type: 'abort', listener: () => void): void {
    this.listeners.delete(listener);
    super.removeEventListener(type, listener);
  }
}

it.each<[string, does.Behaviour]>([
  ['succeeded', does.json(200, {})],
  ['failed', does.json(404, {})],
])(
  'a shared read that %s keeps no listener on its callers and is not joined again',
  async (_how, behaviour) => {
    service.will(behaviour);
    const callers = [new CountedCaller(), new CountedCaller()];
    const results = callers.map((caller) => read(deadlineMs, caller));
    for (const { listeners } of callers) expect(listeners.size).toBeGreaterThan(0);
    await Promise.allSettled(results);
    expect(callers.map(({ listeners }) => listeners.size)).toEqual([0, 0]);
    await read().catch(() => {});
    expect(service.received).toHaveLength(2);
  },
);

it.each([200, 404])(
  'a fault of what is called when a read with status %i ends rejects this read alone',
  async (status) => {
    service.will(does.json(status, {}));
    const fault = new Error('a fault');
    const onCall = () => {
      throw fault;
    };
    const faulty = read(deadlineMs, undefined, { observer: { onCall } });
    await expect(faulty).rejects.toBe(fault);
    service.will(does.json(200, 'value'));
    expect(await read()).toBe('value');
  },
);

it('a caller that began a read and leaves waits no longer, and the one that has joined it gets the result', async () => {
  const arrived = service.hold(does.json(200, 'value'));
  const first = new Cancellation();
  const [begun, joined] = [read(deadlineMs, first), read()];
  const respond = await arrived;
  first.abort('left');
  await expect(begun).rejects.toBe('left');
  respond();
  expect(await joined).toBe('value');
  expect(service.received).toHaveLength(1);
});

it.each([
  ['sent', []],
  ['waiting for its slot', ['2']],
])(
  'a read whose caller disconnects while it is %s is not joined by the next caller, who starts another one',
  async (_state, others) => {
    service.will(does.hang);
    const [left, other] = [new Cancellation(), new Cancellation()];
    const before = others.map((documentId) => read(deadlineMs, other, { documentId }));
    const abandoned = read(deadlineMs, left);
    await new Promise(setImmediate);
    left.abort('left');
    const results = [read(), read()];
    await expect(abandoned).rejects.toBe('left');
    service.will(does.json(200, 'value'));
    other.abort('left');
    await Promise.allSettled(before);
    expect(await Promise.all(results)).toEqual(['value', 'value']);
  },
);

it('a read whose caller disconnects while its response waits to be decoded is over then, and is not tried again', async () => {
  const signal = new Cancellation();
  let attempts = 0;
  const controller = { abort() {}, pause() {}, resume() {} } as unknown as Dispatcher.DispatchController;
  const dispatch: Dispatcher['dispatch'] = (_options, handler) => {
    attempts += 1;
    handler.onRequestStart?.(controller, {});
    handler.onResponseStart?.(controller, 503, { 'retry-after': '2' });
    // So large that it is decoded in a later turn of the event loop.
    handler.onResponseData?.(controller, Buffer.alloc(100_000, ' '));
    handler.onResponseEnd?.(controller, {});
    signal.abort('left');
    return true;
  };
  const { call, settled } = clientWith(deadlineMs, { dispatch } as Dispatcher);
  const caller = { ...holder('alice'), requestId: 'request-1', signal };
  const left = call(caller, { endpoint, parameters: { documentId: '1' }, decode: (body) => body });
  await expect(left).rejects.toBe('left');
  const startedAt = performance.now();
  await settled();
  expect(performance.now() - startedAt).toBeLessThan(1_000);
  expect(attempts).toBe(1);
});
