import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { multipartEvents } from '../../src/http/graphql/multipart-events.ts';
import type { SubscriptionResults } from '../../src/operation/subscription-results.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function silentSubscription() {
  const stop = vi.fn();
  const results = { next: () => new Promise(() => {}), stop } as unknown as SubscriptionResults;
  return { response: multipartEvents(results, globalThis as never), stop };
}

it('a multipart subscription without events sends an empty part every 12 seconds, while its client reads', async () => {
  const { response, stop } = silentSubscription();
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
