/** The recipe for plain `fetch`: subscriptions as server-sent events. `hostile-watches` has its failures and renewals. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { subscribeOverEventStreams } from '../../packages/client/src/event-stream.ts';
import { MalaysiaStatusChangedDocument } from '../../packages/client/src/gql/graphql.ts';
import { createSession } from '../../packages/client/src/session.ts';
import { quickPolls } from '../support/gateway.ts';
import { gatewayWith } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import { json } from '../support/service.ts';

let status: string;
let stop: () => void = () => {};

const { gateway } = await gatewayWith(
  { ...quickPolls, PERSISTED_OPERATIONS: 'packages/client/src/gql/persisted-documents.json' },
  (request, response) => json(200, { status })(request, response),
);
beforeEach(() => {
  status = 'queued';
});
afterEach(() => stop());

/** Watches a document by the hash of the operation. Returns its states so far, and a promise of the end. */
function watch(documentId: string) {
  const states: (string | undefined)[] = [];
  const session = createSession('key', 'token');
  const ended = new Promise<void>((complete) => {
    const subscribe = subscribeOverEventStreams(gateway.url, session, { persisted: true });
    stop = subscribe(
      MalaysiaStatusChangedDocument,
      { documentId },
      { next: ({ data }) => states.push(data?.malaysiaStatusChanged.state), complete },
    );
  });
  return { states, ended };
}

it('gets every state as an event until the final one', async () => {
  const { states, ended } = watch('1');
  await expect.poll(() => states).toEqual(['QUEUED']);
  status = 'validated';
  await ended;
  expect(states).toEqual(['QUEUED', 'VALIDATED']);
});

it('stops the polls of the gateway when the page unsubscribes', async () => {
  const { states } = watch('5');
  await expect.poll(() => states).toEqual(['QUEUED']);
  stop();
  await expect.poll(() => metricOf(gateway, 'folio_watches')).toBe(0);
  expect(states).toEqual(['QUEUED']);
});
