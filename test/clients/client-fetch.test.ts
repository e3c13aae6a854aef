/** The recipe for plain `fetch`: subscriptions as server-sent events. `hostile-watches` has its failures and renewals. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { subscribeOverEventStreams } from '../../packages/client/src/event-stream.ts';
import { MalaysiaStatusChangedDocument } from '../../packages/client/src/gql/graphql.ts';
import { createSession } from '../../packages/client/src/session.ts';
import { alice, post, quickPolls, startTestGateway } from '../support/gateway.ts';
import { forTest, gatewayWith } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import { json } from '../support/service.ts';

let status: string;
let stop: () => void = () => {};

const { service, gateway } = await gatewayWith(
  { ...quickPolls, PERSISTED_OPERATIONS: 'packages/client/src/gql/persisted-documents.json' },
  (request, response) => json(200, { status })(request, response),
);
beforeEach(() => {
  status = 'queued';
});
afterEach(() => stop());

/** Watches a document. Returns its states so far, and a promise of the end. */
function watch(documentId: string, persisted = false, { url } = gateway) {
  const states: (string | undefined)[] = [];
  const session = createSession(`key-${crypto.randomUUID()}`, 'token');
  const ended = new Promise<void>((resolve) => {
    const subscribe = subscribeOverEventStreams(url, session, { persisted });
    stop = subscribe(
      MalaysiaStatusChangedDocument,
      { documentId },
      {
        next: ({ data, errors }) =>
          states.push(data?.malaysiaStatusChanged.state ?? String(errors?.[0]?.extensions?.['code'])),
        complete: resolve,
      },
    );
  });
  return { states, ended };
}

it.each([false, true])(
  'gets every state as an event until the final one (persisted: %s)',
  async (persisted) => {
    const { states, ended } = watch('1', persisted);
    await expect.poll(() => states).toEqual(['QUEUED']);
    status = 'validated';
    await ended;
    expect(states).toEqual(['QUEUED', 'VALIDATED']);
  },
);

it('stops the polls of the gateway when the page unsubscribes', async () => {
  const { states } = watch('5');
  await expect.poll(() => states).toEqual(['QUEUED']);
  stop();
  await expect.poll(() => metricOf(gateway, 'folio_watches')).toBe(0);
  expect(states).toEqual(['QUEUED']);
});

it('ends with the error of a subscription that is refused before it begins', async () => {
  const { states, ended } = watch('../6');
  await ended;
  expect(states).toEqual(['BAD_USER_INPUT']);
});

it('begins once there is room for its event stream, which was refused before', async () => {
  const full = forTest(
    await startTestGateway({ UPSTREAM_URL: service.url, MAX_SOCKETS: '1', ...quickPolls }),
  );
  const query = 'subscription { malaysiaStatusChanged(documentId: "1") { state } }';
  const headers = { ...alice, accept: 'text/event-stream' };
  const open = await post(full, { query }, headers);
  const { states } = watch('2', false, full);
  const refusals = () => metricOf(full, 'folio_refusals_total{bound="sockets"}');
  await expect.poll(refusals).toBe(1);
  await open.body?.cancel();
  await expect.poll(() => states).toEqual(['QUEUED']);
});
