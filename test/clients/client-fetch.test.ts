/** The recipe for plain `fetch`: typed operations, and subscriptions as server-sent events. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { subscribeOverEventStreams } from '../../packages/client/src/event-stream.ts';
import { MalaysiaStatusChangedDocument } from '../../packages/client/src/gql/graphql.ts';
import { createSession, type Session } from '../../packages/client/src/session.ts';
import { quickPolls, startTestGateway } from '../support/gateway.ts';
import { forFile, serviceForFile } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import { json } from '../support/service.ts';

let session: Session;
let valid: string;
let status: string;
let stop: () => void = () => {};
const fetchToken = vi.fn(async () => 'second');
const onSignOut = vi.fn();

const service = await serviceForFile((request, response) => {
  const isValid = request.headers.authorization === `Bearer ${valid}`;
  json(isValid ? 200 : 401, isValid ? { status } : {})(request, response);
});
const environment = {
  UPSTREAM_URL: service.url,
  ...quickPolls,
  PERSISTED_OPERATIONS: 'packages/client/src/gql/persisted-documents.json',
};
let gateway = await startTestGateway(environment);
forFile({ close: () => gateway.close() });
beforeEach(() => {
  valid = 'first';
  status = 'queued';
  fetchToken.mockClear();
  onSignOut.mockClear();
  session = createSession(`key-${crypto.randomUUID()}`, 'first', { fetchToken, onSignOut });
});
afterEach(() => stop());

/** Watches a document. Returns its states so far, and a promise of the end. */
function watch(documentId: string, persisted = false) {
  const states: (string | undefined)[] = [];
  const ended = new Promise<void>((resolve) => {
    const subscribe = subscribeOverEventStreams(gateway.url, session, { persisted });
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

it('renews an expired token, and neither loses nor repeats a state', async () => {
  const { states, ended } = watch('2');
  await expect.poll(() => states).toEqual(['QUEUED']);
  valid = 'second';
  await expect.poll(() => fetchToken).toHaveBeenCalledTimes(1);
  status = 'rejected';
  await ended;
  expect(states).toEqual(['QUEUED', 'REJECTED']);
  expect(onSignOut).not.toHaveBeenCalled();
});

it('reports the error and signs out when the renewed token is refused too', async () => {
  valid = 'other';
  const { states, ended } = watch('3');
  await ended;
  expect(states).toEqual(['UNAUTHENTICATED']);
  expect([fetchToken.mock.calls.length, onSignOut.mock.calls.length]).toEqual([1, 1]);
});

it('connects again after the gateway has restarted', async () => {
  const { states, ended } = watch('4');
  await expect.poll(() => states).toEqual(['QUEUED']);
  const { port } = new URL(gateway.url);
  await gateway.close();
  gateway = await startTestGateway({ ...environment, PORT: port });
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

it('ends with the error of a subscription that is refused before it begins', async () => {
  const { states, ended } = watch('../6');
  await ended;
  expect(states).toEqual(['BAD_USER_INPUT']);
});
