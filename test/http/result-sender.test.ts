/** Results of a subscription whose client does not read them. */
import { expect, it, vi } from 'vitest';
import type { SocketOperation } from '../../src/http/websocket/connection.ts';
import { ResultSender } from '../../src/http/websocket/result-sender.ts';
import type { ResultReader, SubscriptionResults } from '../../src/operation/subscription-results.ts';

/** The results of a subscription that has one, whose messages are sent by `send`. */
function resultsSentBy(send: (message: string) => unknown) {
  const stop = vi.fn();
  const read = (reader: ResultReader) => reader.onResult({ data: { state: 'QUEUED' } });
  const results = { read, stop } as unknown as SubscriptionResults;
  const operation = { id: '1', socket: { isRefused: false, send } } as unknown as SocketOperation;
  return { iterator: new ResultSender(results, operation), stop };
}

it('end when the client completes the subscription, and none is sent after that', async () => {
  const written = Promise.withResolvers<void>();
  const send = vi.fn(() => written.promise);
  const { iterator, stop } = resultsSentBy(send);
  const end = iterator.next();
  expect(send).toHaveBeenCalledExactlyOnceWith(
    '{"id":"1","type":"next","payload":{"data":{"state":"QUEUED"}}}',
  );

  // The first message is not written yet.
  await iterator.return();
  expect(await end).toEqual({ done: true, value: undefined });
  expect(stop).toHaveBeenCalled();
  written.resolve();
  await new Promise(setImmediate);
  expect(send).toHaveBeenCalledOnce();
});

it('end with the error that prevents a message', async () => {
  const { iterator } = resultsSentBy(() => {
    throw new Error('too long');
  });
  await expect(iterator.next()).rejects.toThrow('too long');
});
