/** Results of a subscription whose client does not read them. */
import type { ExecutionResult } from 'graphql';
import { expect, it } from 'vitest';
import type { SocketOperation } from '../../src/http/websocket/connection.ts';
import { SentResults } from '../../src/http/websocket/sent-results.ts';
import type { ResultReader, SubscriptionResults } from '../../src/operation/subscription.ts';

const result: ExecutionResult = { data: { state: 'QUEUED' } };

it('end when the client completes the subscription, and none is sent after that', async () => {
  const sent: string[] = [];
  const written = Promise.withResolvers<void>();
  let isStopped = false;
  const results = {
    read: (reader: ResultReader) => reader.onResult(result),
    stop() {
      isStopped = true;
    },
  };
  const socket = {
    isRefused: false,
    send(message: string) {
      sent.push(message);
      return written.promise;
    },
  };
  const operation = { id: '1', socket } as unknown as SocketOperation;
  const iterator = new SentResults(results as unknown as SubscriptionResults, operation);
  const end = iterator.next();
  expect(sent).toEqual(['{"id":"1","type":"next","payload":{"data":{"state":"QUEUED"}}}']);

  // The first message is not written yet.
  await iterator.return();
  expect(await end).toEqual({ done: true, value: undefined });
  expect(isStopped).toBe(true);
  written.resolve();
  await new Promise(setImmediate);
  expect(sent).toHaveLength(1);
});

it('end with the error that prevents a message', async () => {
  const results = {
    read: (reader: ResultReader) => reader.onResult(result),
    stop() {},
  };
  const socket = {
    isRefused: false,
    send() {
      throw new Error('too long');
    },
  };
  const operation = { id: '1', socket } as unknown as SocketOperation;
  const iterator = new SentResults(results as unknown as SubscriptionResults, operation);
  await expect(iterator.next()).rejects.toThrow('too long');
});
