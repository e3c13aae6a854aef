/** How long and how much of a refused request is read and dropped before its response is sent. */
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { restDropped } from '../../src/http/graphql/rest-of-body.ts';

let request: PassThrough;
let isOver = false;

function refuse(responseLength: number): Promise<void> | undefined {
  request = Object.assign(new PassThrough(), { complete: false, url: '/graphql', rawHeaders: [] });
  const share = { hold() {}, close() {} };
  const exchange = { request, response: { writableFinished: true }, holdBody: () => share };
  return restDropped(exchange as never, responseLength);
}

beforeEach(() => {
  vi.useFakeTimers();
  isOver = false;
  void refuse(16_384)?.then(() => (isOver = true));
});
afterEach(() => vi.useRealTimers());

describe('the rest of a refused request', () => {
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
