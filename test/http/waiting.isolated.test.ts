/** How long a refused request is read and dropped, what a body holds, and how often a silent subscription sends something. */
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { multipartEvents } from '../../src/http/graphql/multipart-events.ts';
import { readJsonBody } from '../../src/http/graphql/request-body.ts';
import { restDropped } from '../../src/http/graphql/rest-of-body.ts';
import type { SubscriptionResults } from '../../src/operation/subscription-results.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the rest of a refused request', () => {
  let request: PassThrough;
  let isOver = false;

  function refuse(responseLength: number): Promise<void> | undefined {
    request = Object.assign(new PassThrough(), { complete: false, url: '/graphql', rawHeaders: [] });
    const share = { hold() {}, close() {} };
    const exchange = { request, response: { writableFinished: true }, holdBody: () => share };
    return restDropped(exchange as never, responseLength);
  }

  beforeEach(() => {
    isOver = false;
    void refuse(16_384)?.then(() => (isOver = true));
  });

  it('is read to at most 64 MiB', async () => {
    for (let mebibyte = 0; mebibyte < 64; mebibyte += 1) request.write(Buffer.alloc(1024 * 1024));
    await vi.advanceTimersByTimeAsync(0);
    expect([isOver, request.destroyed]).toEqual([false, false]);
    request.write('x');
    await vi.advanceTimersByTimeAsync(0);
    expect([isOver, request.destroyed]).toEqual([true, true]);
  });

  it.each([
    ['nothing of it arrives for 2 seconds', 2_000, 2_000],
    ['all of it has not arrived after a minute', 60_000, 1_500],
  ])('is given up when %s', async (_why, ms, intervalMs) => {
    const sending = setInterval(() => request.write('x'), intervalMs);
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([isOver, request.destroyed]).toEqual([true, true]);
    clearInterval(sending);
  });

  it('is not given up because the process has no time to read it', async () => {
    await vi.advanceTimersByTimeAsync(1_500);
    request.emit('postponed');
    await vi.advanceTimersByTimeAsync(1_999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isOver).toBe(true);
  });

  it('is not awaited by a response of more than 16,384 characters', () => {
    expect(refuse(16_385)).toBeUndefined();
  });
});

it('a body whose connection ended before it was read holds nothing', async () => {
  const headers = { 'content-type': 'application/json', 'content-length': '100' };
  const request = Object.assign(new PassThrough(), { headers, rawHeaders: [] });
  request.write('{"query":');
  let held = 0;
  const holdBody = () => ({ hold: (bytes: number) => (held = bytes), close: () => (held = 0) });
  const options = { config: { limits: { maxRequestBytes: 1_000 } } };
  const operation = readJsonBody({ request, options, holdBody } as never);
  request.emit('aborted');
  await expect(operation).rejects.toThrow('The request ended before its body.');
  await vi.advanceTimersByTimeAsync(60_000);
  expect([request.readableLength, held]).toEqual([0, 0]);
});

it('a multipart subscription without events sends an empty part every 12 seconds, while its client reads', async () => {
  const stop = vi.fn();
  const results = { next: () => new Promise(() => {}), stop } as unknown as SubscriptionResults;
  const response = multipartEvents(results, globalThis as never);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const part = '\r\ncontent-type: application/json; charset=utf-8\r\n\r\n{}\r\n--graphql';
  const text = async () => Buffer.from((await reader.read()).value as Uint8Array).toString();
  expect([await text(), await text()]).toEqual(['\r\n--graphql', part]);
  for (let count = 0; count < 3; count += 1) {
    vi.advanceTimersByTime(12_000);
    expect(await text()).toBe(part);
  }
  // Of a minute in which nothing is read one part is kept.
  vi.advanceTimersByTime(60_000);
  expect(await text()).toBe(part);
  const next = reader.read();
  await reader.cancel();
  expect(await next).toEqual({ done: true, value: undefined });
  expect([stop.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0]);
});
