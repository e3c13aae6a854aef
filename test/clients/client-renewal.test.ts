/** The recipes when a token expires: renewed once, repeated where it is safe, signed out when that does not help. */
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  CreateGroupDocument,
  ImportMalaysiaInvoicesDocument,
  MalaysiaStatusChangedDocument,
  MalaysiaStatusesChangedDocument,
  MexicoValidationDocument,
  MexicoValidationsDocument,
} from '../../packages/client/src/gql/graphql.ts';
import { sendList } from '../../packages/client/src/list-of-writes.ts';
import { createSession, type Session, type SessionOptions } from '../../packages/client/src/session.ts';
import { credentialHeaders } from '../../src/caller.ts';
import { quickPolls } from '../support/gateway.ts';
import { forTest, gatewayWith } from '../support/lifetimes.ts';
import {
  type Answer,
  anImport,
  recipes,
  reportedErrors,
  type TestClient,
} from '../support/recipe-clients.ts';
import { type Relay, startRelay } from '../support/relay.ts';
import { type Behaviour, json } from '../support/service.ts';

/** The tokens that the service accepts. */
let valid: Set<string>;
/** By document; `queued` for all others. */
let statuses: Map<string, string>;
/** Called with each accepted write: its path, and its body as text. */
let onWrite: (path: string, body: string) => void;

const validation = {
  documentId: '1',
  uuid: null,
  validation_result: 'VALID',
  validatedAt: '2026-02-11T09:30:00Z',
  invalid_reason: null,
  steps: {},
};

const service401: Behaviour = (request, response) => {
  const path = request.url ?? '';
  const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
  if (!valid.has(token)) return json(401, {})(request, response);
  const [, documentId] = /status\/(\w+)$/.exec(path) ?? [];
  if (path.includes('/malaysia/status/'))
    return json(200, { status: statuses.get(documentId ?? '') ?? 'queued' })(request, response);
  if (request.method === 'GET') return json(200, validation)(request, response);
  const { body } = service.received.findLast((entry) => entry.path === path) ?? {};
  onWrite(path, String(body));
  if (path.includes('/groups')) return json(200, { createGroup: { id: 7, name: 'kept' } })(request, response);
  json(200, { requestId: 'r-1', docId: 500 + service.received.length })(request, response);
};

const { service, gateway } = await gatewayWith(quickPolls, service401);

/** The service refuses this document with each token. */
function refuseAlways(documentId: string, others: Behaviour = service401): void {
  service.will((request, response) => {
    const isRefused = request.url?.endsWith(`/status/${documentId}`);
    (isRefused ? json(401, {}) : others)(request, response);
  });
}

// Of a page: a server has none.
beforeEach(() => void vi.stubGlobal('location', { href: 'https://page.example/' }));
afterAll(() => void vi.unstubAllGlobals());

describe('a client whose token has expired', () => {
  let relay: Relay;
  const fetchToken = vi.fn<() => Promise<string>>();
  const onSignOut = vi.fn();
  let writes: string[];

  beforeEach(async () => {
    relay = forTest(await startRelay(gateway.url));
    valid = new Set(['second']);
    statuses = new Map();
    writes = [];
    onWrite = (path) => writes.push(path);
    fetchToken.mockReset().mockResolvedValue('second');
    onSignOut.mockReset();
  });
  function openAs(createTestClient: (typeof recipes)[number][1], options: SessionOptions = {}): TestClient {
    const session = createSession(`key-${crypto.randomUUID()}`, 'first', {
      fetchToken,
      onSignOut,
      ...options,
    });
    return forTest(createTestClient(relay.url, session));
  }
  /** What the clients of all libraries do with the same code is tested with one of them. */
  const [, , [, anyClient]] = recipes;
  const open = (options?: SessionOptions) => openAs(anyClient, options);

  const tokensSent = () => relay.requests.map(({ headers }) => headers.get('authorization'));
  /** The sockets that were opened: each begins with its credentials. */
  const expectSockets = (...tokens: string[]) =>
    expect(relay.sockets.map(([first]) => first)).toEqual(
      tokens.map((token) => ({
        type: 'connection_init',
        payload: {
          [credentialHeaders.apiKey]: expect.stringMatching(/^key-/),
          authorization: `Bearer ${token}`,
        },
      })),
    );
  const statesOf = (states: string[]) => (data: any) => states.push(data.malaysiaStatusChanged.state);

  describe.each(recipes)('of the recipe for %s', (_name, createTestClient) => {
    const open = () => openAs(createTestClient);

    it('renews once for all queries that were refused, and each of them succeeds', async () => {
      const client = open();
      const asked = ['1', '2', '3'].map((documentId) =>
        client.query(MexicoValidationDocument, { by: { documentId } }),
      );
      for (const answer of await Promise.all(asked)) {
        expect(answer).toMatchObject({ data: { mexicoValidation: { result: 'VALID' } }, codes: [] });
      }
      expect(fetchToken).toHaveBeenCalledTimes(1);
      const both = [...Array(3).fill('Bearer first'), ...Array(3).fill('Bearer second')];
      expect(tokensSent().sort()).toEqual(both);
      expect(onSignOut).not.toHaveBeenCalled();
    });

    it('repeats a refused write under its key, and it is done once', async () => {
      const input = { name: 'kept', idempotencyKey: crypto.randomUUID() };
      const answer = await open().mutate(CreateGroupDocument, { input });
      expect(answer).toMatchObject({ data: { createGroup: { id: '7' } }, codes: [] });
      expect(writes).toEqual(['/v1/groups']);
      const keys = relay.requests.map(({ body }) => JSON.parse(body).variables.input.idempotencyKey);
      expect(keys).toEqual([input.idempotencyKey, input.idempotencyKey]);
    });

    it('continues watches over one new socket, and neither loses nor repeats a state', async () => {
      valid = new Set(['first']);
      const client = open();
      const one: string[] = [];
      const other: string[] = [];
      const watched = [
        client.watch(MalaysiaStatusChangedDocument, { documentId: '31' }, statesOf(one)),
        client.watch(MalaysiaStatusChangedDocument, { documentId: '32' }, statesOf(other)),
      ];
      await expect.poll(() => [one, other]).toEqual([['QUEUED'], ['QUEUED']]);
      valid = new Set(['second']);
      await expect.poll(() => relay.sockets[1]?.filter(({ type }) => type === 'subscribe')).toHaveLength(2);
      statuses.set('31', 'submitted').set('32', 'validated');
      await expect.poll(() => one).toContain('SUBMITTED');
      statuses.set('31', 'rejected');
      await Promise.all(watched);
      expect([one, other]).toEqual([
        ['QUEUED', 'SUBMITTED', 'REJECTED'],
        ['QUEUED', 'VALIDATED'],
      ]);
      expectSockets('first', 'second');
      expect(fetchToken).toHaveBeenCalledTimes(1);
    });

    it('renews for a list of watched documents whose events report the refusal', async () => {
      const client = open();
      statuses.set('41', 'validated').set('42', 'rejected');
      const events: string[] = [];
      const variables = { documentIds: ['41', '42'] };
      await client.watch(MalaysiaStatusesChangedDocument, variables, ({ malaysiaStatusesChanged: status }) =>
        events.push(`${status.documentId} ${status.state} ${status.problem?.code}`),
      );
      expect(events.sort()).toEqual(['41 VALIDATED undefined', '42 REJECTED undefined']);
      expect(fetchToken).toHaveBeenCalledTimes(1);
    });
  });

  it('does not sign out for one of several documents that the service refuses with each token', async () => {
    refuseAlways('2');
    const by = ['1', '2'].map((documentId) => ({ documentId }));
    const answer = await open().query(MexicoValidationsDocument, { by });
    expect(answer.codes).toEqual(['UNAUTHENTICATED']);
    expect(answer.data.mexicoValidations).toMatchObject([{ result: 'VALID' }, null]);
    expect(fetchToken).toHaveBeenCalledTimes(1);
    expect(onSignOut).not.toHaveBeenCalled();
  });

  it('imports each invoice of a batch once when the token expires in the middle of it', async () => {
    valid = new Set(['first', 'second']);
    const imported: string[] = [];
    onWrite = (_path, body) => {
      imported.push(JSON.parse(body).docNumber);
      valid = new Set(['second']);
    };
    const client = open();
    const note = anImport('CN-3');
    Object.assign(note.invoice, {
      docType: 'CREDIT_NOTE',
      lines: [{ amountExclTax: '-10.00' }],
      reference: { originalInvoiceCodeNumber: 'INV-3' },
    });
    const inputs = [...['INV-1', 'INV-2', 'INV-3'].map(anImport), note].map((one) => ({
      ...one,
      idempotencyKey: crypto.randomUUID(),
    }));
    const outcomes = await sendList(inputs, async (input) => {
      const { data, errors } = await client.mutate(ImportMalaysiaInvoicesDocument, { input });
      return { results: data?.importMalaysiaInvoices, errors };
    });
    expect(outcomes).toMatchObject(inputs.map(() => ({ result: { __typename: 'MalaysiaImport' } })));
    expect(imported.indexOf('CN-3')).toBeGreaterThan(imported.indexOf('INV-3'));
    expect(imported.sort()).toEqual(['CN-3', 'INV-1', 'INV-2', 'INV-3']);
    expect(fetchToken).toHaveBeenCalledTimes(1);
    expect(onSignOut).not.toHaveBeenCalled();
  });

  it('shows the final state once when a laptop wakes with a dead socket and an expired token', async () => {
    valid = new Set(['first']);
    const states: string[] = [];
    const client = open();
    const watched = client.watch(MalaysiaStatusChangedDocument, { documentId: '71' }, statesOf(states));
    await expect.poll(() => states).toEqual(['QUEUED']);
    relay.sleep();
    valid = new Set(['second']);
    statuses.set('71', 'validated');
    relay.wake();
    const answer = await client.query(MexicoValidationDocument, { by: { documentId: '1' } });
    expect(answer.codes).toEqual([]);
    await watched;
    expect(states).toEqual(['QUEUED', 'VALIDATED']);
    expect(fetchToken).toHaveBeenCalledTimes(1);
    expect(onSignOut).not.toHaveBeenCalled();
  });

  it('signs out when the renewed token is refused too, and renews no more', async () => {
    valid = new Set();
    const client = open();
    const answer = await client.query(MexicoValidationDocument, { by: { documentId: '1' } });
    expect(answer.codes).toEqual(['UNAUTHENTICATED']);
    expect(tokensSent()).toEqual(['Bearer first', 'Bearer second']);
    expect(onSignOut).toHaveBeenCalledTimes(1);
    await client.query(MexicoValidationDocument, { by: { documentId: '2' } });
    expect(fetchToken).toHaveBeenCalledTimes(1);
    expect(onSignOut).toHaveBeenCalledTimes(1);
    expect(tokensSent()).toEqual(['Bearer first', 'Bearer second', 'Bearer second']);
  });

  it('repeats what was refused with a renewed token that the page has replaced since', async () => {
    valid = new Set(['third']);
    const session = createSession('key', 'first', { fetchToken, onSignOut });
    const client = forTest(anyClient(relay.url, session));
    const replaceToken: Behaviour = (request, response) => {
      session.renew('third');
      service401(request, response);
    };
    service.will(service401, replaceToken, service401);
    const answer = await client.query(MexicoValidationDocument, { by: { documentId: '1' } });
    expect(answer).toMatchObject({ data: { mexicoValidation: { result: 'VALID' } }, codes: [] });
    expect(tokensSent()).toEqual(['Bearer first', 'Bearer second', 'Bearer third']);
    expect(onSignOut).not.toHaveBeenCalled();
  });

  it('signs out when the login gives no token, and reports the first error', async () => {
    fetchToken.mockRejectedValue(new Error('no session'));
    const answer = await open().mutate(CreateGroupDocument, { input: { name: 'lost' } });
    expect(answer.codes).toEqual(['UNAUTHENTICATED']);
    expect(onSignOut).toHaveBeenCalledTimes(1);
    expect(tokensSent()).toEqual(['Bearer first']);
    expect(writes).toEqual([]);
  });

  it('renews once for reads that begin one after the other and have a member that is always refused', async () => {
    refuseAlways('2', json(200, validation));
    fetchToken.mockImplementation(async () => crypto.randomUUID());
    const client = open();
    const read = (documentId: string) =>
      client.query(MexicoValidationsDocument, { by: [{ documentId: '2' }, { documentId }] });
    const asked: Promise<Answer>[] = [];
    for (let count = 0; count < 20; count += 1) {
      asked.push(read(`${100 + count}`));
      if (count % 4 === 0) await asked.at(-1);
    }
    for (const { codes } of await Promise.all(asked)) expect(codes).toEqual(['UNAUTHENTICATED']);
    expect(fetchToken).toHaveBeenCalledTimes(1);
    // The reads that were sent before the renewal are sent twice.
    expect(tokensSent().length).toBeLessThan(30);
    expect(onSignOut).not.toHaveBeenCalled();
  });

  it('renews again for a member that is refused later, when the last renewal for one has helped', async () => {
    fetchToken.mockResolvedValueOnce('second').mockResolvedValueOnce('third');
    /** Of document 2; document 1 is returned with each token, as when a token expires during a read. */
    let accepted = 'second';
    service.will((request, response) => {
      const isAccepted =
        request.headers.authorization === `Bearer ${accepted}` || request.url?.endsWith('/status/1');
      json(isAccepted ? 200 : 401, isAccepted ? validation : {})(request, response);
    });
    const client = open();
    const read = () =>
      client.query(MexicoValidationsDocument, { by: [{ documentId: '1' }, { documentId: '2' }] });
    expect((await read()).codes).toEqual([]);
    accepted = 'third';
    expect((await read()).codes).toEqual([]);
    expect(fetchToken).toHaveBeenCalledTimes(2);
  });

  it('renews nothing for another error', async () => {
    valid = new Set(['first']);
    const answer = await open().query(MexicoValidationDocument, { by: { documentId: '../1' } });
    expect(answer.codes).toEqual(['BAD_USER_INPUT']);
    expect(fetchToken).not.toHaveBeenCalled();
  });

  it('renews once for a document that the service refuses with each token, and keeps the others', async () => {
    refuseAlways('43');
    statuses.set('44', 'validated');
    fetchToken.mockResolvedValueOnce('second').mockResolvedValueOnce('third');
    valid = new Set(['first', 'second', 'third']);
    const events: string[] = [];
    const variables = { documentIds: ['43', '44'] };
    await open().watch(MalaysiaStatusesChangedDocument, variables, ({ malaysiaStatusesChanged: status }) =>
      events.push(`${status.documentId} ${status.problem?.code ?? status.state}`),
    );
    expect(events).toEqual(['44 VALIDATED', '43 UNAUTHENTICATED']);
    expect(fetchToken).toHaveBeenCalledTimes(1);
    expect(onSignOut).not.toHaveBeenCalled();
  });

  it('renews the token of a watch each time it has expired', async () => {
    fetchToken.mockResolvedValueOnce('second').mockResolvedValueOnce('third');
    const states: string[] = [];
    const watched = open().watch(MalaysiaStatusChangedDocument, { documentId: '51' }, statesOf(states));
    await expect.poll(() => states).toEqual(['QUEUED']);
    valid = new Set(['third']);
    statuses.set('51', 'validated');
    await watched;
    expect(states).toEqual(['QUEUED', 'VALIDATED']);
    expect(fetchToken).toHaveBeenCalledTimes(2);
    expect(onSignOut).not.toHaveBeenCalled();
  });

  it('signs out when a watch is refused with the renewed token, and opens no further socket', async () => {
    valid = new Set();
    const watched = open().watch(MalaysiaStatusChangedDocument, { documentId: '61' }, () => {});
    await watched.catch(() => {});
    expect(onSignOut).toHaveBeenCalledTimes(1);
    expect(fetchToken).toHaveBeenCalledTimes(1);
    expectSockets('first', 'second');
  });
});

describe('tabs of one login', () => {
  const sessions = (fetchToken: () => Promise<string>) => {
    const sharedAs = `folio-${crypto.randomUUID()}`;
    return [1, 2].map(() => createSession('key', 'first', { fetchToken, sharedAs })) as [Session, Session];
  };

  it('do not renew again while the new token is on its way to the other tab', async () => {
    const fetchToken = vi.fn(async () => 'second');
    const [one, other] = sessions(fetchToken);
    expect(await one.renewAfter('Bearer first')).toBe(true);
    // Its response with 401 arrives before the token of the other tab.
    expect(other.credentials().authorization).toBe('Bearer first');
    expect(await other.renewAfter('Bearer first')).toBe(true);
    expect(other.credentials().authorization).toBe('Bearer second');
    expect(fetchToken).toHaveBeenCalledTimes(1);
  });

  it('wait for a login that takes longer than ten seconds, instead of ending the session', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const slow = Promise.withResolvers<string>();
    const fetchToken = vi.fn(() => slow.promise);
    const [one, other] = sessions(fetchToken);
    const renewals = [one.renewAfter('Bearer first')];
    await expect.poll(() => fetchToken).toHaveBeenCalledTimes(1);
    renewals.push(other.renewAfter('Bearer first'));
    await vi.advanceTimersByTimeAsync(11_000);
    slow.resolve('second');
    expect(await Promise.all(renewals)).toEqual([true, true]);
    expect(other.credentials().authorization).toBe('Bearer second');
    expect(fetchToken).toHaveBeenCalledTimes(1);
  });

  it('renew when the tab that fetched a token was closed', async () => {
    const sharedAs = `folio-${crypto.randomUUID()}`;
    const closed = Promise.withResolvers<void>();
    void navigator.locks.request(sharedAs, () => closed.promise);
    const session = createSession('key', 'first', { fetchToken: async () => 'second', sharedAs });
    const renewal = session.renewAfter('Bearer first');
    closed.resolve();
    expect(await renewal).toBe(true);
    expect(session.credentials().authorization).toBe('Bearer second');
  });

  it('ask the login once when it gives no token', async () => {
    const fetchToken = vi.fn(() => Promise.reject(new Error('no session')));
    const renewals = sessions(fetchToken).map((session) => session.renewAfter('Bearer first'));
    expect(await Promise.all(renewals)).toEqual([false, false]);
    expect(fetchToken).toHaveBeenCalledTimes(1);
  });

  it.each(['BroadcastChannel', 'Web Locks'])('renew for themselves where there is no %s', async (missing) => {
    if (missing === 'Web Locks') vi.spyOn(navigator, 'locks', 'get').mockReturnValue(undefined as never);
    else vi.stubGlobal(missing, undefined);
    onTestFinished(() => {
      vi.unstubAllGlobals();
      vi.restoreAllMocks();
    });
    const fetchToken = vi.fn(async () => 'second');
    for (const session of sessions(fetchToken)) expect(await session.renewAfter('Bearer first')).toBe(true);
    expect(fetchToken).toHaveBeenCalledTimes(2);
  });
});

it('sessions of a server share nothing, since its requests are of many users', async () => {
  vi.stubGlobal('location', undefined);
  const channels = vi.spyOn(globalThis, 'BroadcastChannel');
  onTestFinished(() => void vi.restoreAllMocks());
  const options = { sharedAs: `folio-${crypto.randomUUID()}`, fetchToken: async () => 'second' };
  const [one, other] = [createSession('key', 'first', options), createSession('key', 'first', options)];
  expect(await one.renewAfter('Bearer first')).toBe(true);
  expect(other.credentials().authorization).toBe('Bearer first');
  expect(channels).not.toHaveBeenCalled();
});

it('a session notifies all listeners of a renewal and of its end, also when one of them throws, which is reported', async () => {
  const reported = reportedErrors();
  onTestFinished(() => void vi.restoreAllMocks());
  const throws = (message: string) => () => {
    throw new Error(message);
  };
  const onRenewal = vi.fn();
  const sharedAs = `folio-${crypto.randomUUID()}`;
  const onSignOut = vi.fn();
  createSession('key', 'first', { sharedAs, onSignOut });
  const session = createSession('key', 'first', { sharedAs, onSignOut: throws('end') });
  session.onRenewal(throws('renewal'));
  session.onRenewal(onRenewal);
  session.renew('second');
  expect(onRenewal).toHaveBeenCalledTimes(1);
  expect(await session.renewAfter('Bearer second')).toBe(false);
  await expect.poll(() => onSignOut).toHaveBeenCalledTimes(1);
  expect(reported).toMatchObject([{ message: 'renewal' }, { message: 'end' }]);
});

describe('a session that is over', () => {
  it('takes no token of another tab, which may be that of the next user', async () => {
    const sharedAs = `folio-${crypto.randomUUID()}`;
    const onRenewal = vi.fn();
    const former = createSession('key', 'of-alice', { sharedAs });
    former.onRenewal(onRenewal);
    former.signOut();
    const another = createSession('key', 'same-login', { sharedAs });
    const next = createSession('key', 'of-bob', { sharedAs, fetchToken: async () => 'new-of-bob' });
    expect(await next.renewAfter('Bearer of-bob')).toBe(true);
    await expect.poll(() => another.credentials().authorization).toBe('Bearer new-of-bob');
    expect(former.credentials().authorization).toBe('Bearer of-alice');
    expect(onRenewal).not.toHaveBeenCalled();
  });

  it('takes no token of a renewal that was in progress', async () => {
    const login = Promise.withResolvers<string>();
    const session = createSession('key', 'first', { fetchToken: () => login.promise });
    const renewal = session.renewAfter('Bearer first');
    session.signOut();
    login.resolve('second');
    expect(await renewal).toBe(false);
    expect(session.credentials().authorization).toBe('Bearer first');
  });

  it.each(['in its own tab', 'in another tab'])(
    'gives no token of a renewal that was in progress to the next login %s',
    async (where) => {
      const sharedAs = `folio-${crypto.randomUUID()}`;
      const login = Promise.withResolvers<string>();
      const fetchToken = vi.fn(() => login.promise);
      const session = createSession('key', 'of-alice', { fetchToken, sharedAs });
      const onEnd = Promise.withResolvers<void>();
      const another = createSession('key', 'of-alice', { sharedAs, onSignOut: onEnd.resolve });
      const renewal = session.renewAfter('Bearer of-alice');
      await expect.poll(() => fetchToken).toHaveBeenCalledTimes(1);
      session.signOut();
      await onEnd.promise;
      const next = where === 'in its own tab' ? session : another;
      next.renew('of-bob');
      const tokens: string[] = [];
      next.onRenewal(() => tokens.push(next.credentials().authorization));
      login.resolve('new-of-alice');
      await renewal;
      // A message that was sent before this one has arrived with it.
      const last = createSession('key', 'of-bob', { sharedAs, fetchToken: async () => 'new-of-bob' });
      expect(await last.renewAfter('Bearer of-bob')).toBe(true);
      await expect.poll(() => next.credentials().authorization).toBe('Bearer new-of-bob');
      expect(tokens).toEqual(['Bearer new-of-bob']);
    },
  );

  it('does not end the next login in another tab when it is signed out again', async () => {
    const sharedAs = `folio-${crypto.randomUUID()}`;
    const former = createSession('key', 'of-alice', { sharedAs });
    former.signOut();
    const onSignOut = vi.fn();
    const next = createSession('key', 'of-bob', { sharedAs, onSignOut });
    former.signOut();
    expect(await former.renewAfter('Bearer of-alice')).toBe(false);
    // A message that was sent before this one has arrived with it.
    const other = createSession('key', 'of-bob', { sharedAs, fetchToken: async () => 'new-of-bob' });
    expect(await other.renewAfter('Bearer of-bob')).toBe(true);
    await expect.poll(() => next.credentials().authorization).toBe('Bearer new-of-bob');
    expect(onSignOut).not.toHaveBeenCalled();
  });

  it('renews the token of the next login although a renewal is in progress', async () => {
    const onSignOut = vi.fn();
    const login = Promise.withResolvers<string>();
    const fetchToken = vi.fn(async () => 'new-of-bob').mockImplementationOnce(() => login.promise);
    const session = createSession('key', 'of-alice', { fetchToken, onSignOut });
    const renewal = session.renewAfter('Bearer of-alice');
    session.signOut();
    session.renew('of-bob');
    expect(await session.renewAfter('Bearer of-bob')).toBe(true);
    login.reject(new Error('no session'));
    await renewal;
    expect(session.credentials().authorization).toBe('Bearer new-of-bob');
    expect(onSignOut).toHaveBeenCalledTimes(1);
  });

  it('asks no login for a renewal that waited for the one of another tab', async () => {
    const sharedAs = `folio-${crypto.randomUUID()}`;
    const released = Promise.withResolvers<void>();
    const other = navigator.locks.request(sharedAs, () => released.promise);
    const fetchToken = vi.fn(async () => 'second');
    const session = createSession('key', 'first', { fetchToken, sharedAs });
    const renewal = session.renewAfter('Bearer first');
    session.signOut();
    released.resolve();
    await other;
    expect(await renewal).toBe(false);
    expect(fetchToken).not.toHaveBeenCalled();
  });

  it('is renewed and ended as before when the page has given it a token', async () => {
    const onSignOut = vi.fn();
    const fetchToken = vi.fn(async () => 'third');
    const session = createSession('key', 'first', { fetchToken, onSignOut });
    session.signOut();
    session.renew('second');
    expect(await session.renewAfter('Bearer second')).toBe(true);
    expect(session.credentials().authorization).toBe('Bearer third');
    session.signOut();
    expect(onSignOut).toHaveBeenCalledTimes(2);
  });

  it('goes on when the login gives it the token that it had', () => {
    const onRenewal = vi.fn();
    const session = createSession('key', 'first');
    session.onRenewal(onRenewal);
    session.renew('first');
    expect(onRenewal).not.toHaveBeenCalled();
    session.signOut();
    session.renew('first');
    expect(onRenewal).toHaveBeenCalledTimes(1);
  });

  it('stays over when the page has got no token', async () => {
    const session = createSession('key', 'of-alice');
    session.signOut();
    session.renew('');
    expect(await session.renewAfter('Bearer of-another-time')).toBe(false);
  });

  it('is ended by a login that returns no token', async () => {
    const onSignOut = vi.fn();
    const fetchToken = async () => undefined as unknown as string;
    const session = createSession('key', 'first', { fetchToken, onSignOut });
    expect(await session.renewAfter('Bearer first')).toBe(false);
    expect(session.credentials().authorization).toBe('Bearer first');
    expect(onSignOut).toHaveBeenCalledTimes(1);
  });
});
