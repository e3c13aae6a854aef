/** The outbox of `@folio/client` in a fake browser: its states, its bounds, its order, and what it keeps of whom. */
import { parse } from 'graphql';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createApp, effectScope, reactive } from 'vue';
import {
  CreateGroupDocument,
  ExportDocumentsDocument,
  ImportMalaysiaInvoiceDocument,
  ImportMalaysiaInvoicesDocument,
  MexicoValidationDocument,
  ScanIdentityCardDocument,
} from '../../packages/client/src/gql/graphql.ts';
import { outcomeOf } from '../../packages/client/src/outbox/action.ts';
import {
  createOutbox,
  hasOutbox,
  type Outbox,
  type OutboxOptions,
} from '../../packages/client/src/outbox.ts';
import { createSession, type Session, type SessionOptions } from '../../packages/client/src/session.ts';
import { outboxPlugin, type UsedOutbox, useOutbox } from '../../packages/client/src/vue.ts';
import { FakeBrowser, type FakePage, installFakeBrowser } from '../support/fake-browser.ts';
import { forTest } from '../support/lifetimes.ts';
import { type OutboxWorld, startOutboxWorld } from '../support/outbox-world.ts';
import { reportedErrors } from '../support/recipe-clients.ts';
import { json, startService } from '../support/service.ts';

let world: OutboxWorld;
let browser: FakeBrowser;
let session: Session;
beforeAll(installFakeBrowser);
beforeEach(async () => {
  world = await startOutboxWorld({});
  browser = new FakeBrowser(50);
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const tab of browser.pages) tab.kill();
  await world[Symbol.asyncDispose]();
});

interface Tab {
  readonly outbox: Outbox;
  readonly page: FakePage;
  group(name: string): Promise<unknown>;
  scan(name: string, bytes?: number): Promise<unknown>;
}

function open(options: Partial<OutboxOptions> = {}, login: SessionOptions = {}, token = 'token'): Tab {
  const page = browser.open();
  const outbox = page.run(() => {
    session = createSession('alice-key', token, login);
    return createOutbox(world.relay.url, session, { user: 'alice', ...options });
  });
  return {
    outbox,
    page,
    group: (name) => page.run(() => outbox.add(CreateGroupDocument, { input: { name } }, { title: name })),
    scan: (name, bytes = 1) => {
      const file = new File([new Uint8Array(bytes)], `${name}.png`);
      return page.run(() =>
        outbox.add(ScanIdentityCardDocument, { input: { file, queueId: '7' } }, { title: name }),
      );
    },
  };
}

const statesOf = ({ outbox }: Tab) => outbox.current().map(({ title, state }) => `${title} ${state}`);
const become = (tab: Tab, ...states: string[]) => expect.poll(() => statesOf(tab)).toEqual(states);

/** After everything that was to be sent now. */
const sentAll = (tab: Tab) => tab.page.run(() => navigator.locks.request('folio-outbox:alice', () => {}));

it('shows an action as waiting, sent and done, and keeps of its result what identifies it', async () => {
  const tab = open();
  const seen: string[] = [];
  tab.outbox.onChange(() => seen.push(...statesOf(tab)));
  await tab.group('Kad');
  await become(tab, 'Kad done');
  expect([...new Set(seen)]).toEqual(['Kad waiting', 'Kad sent', 'Kad done']);
  expect(tab.outbox.current()[0]?.result).toEqual({ __typename: 'Group', id: expect.any(String) });
});

it('sends an action, and shows it to others, when a function that it calls throws', async () => {
  const reported = reportedErrors();
  const tab = open();
  tab.outbox.onChange(() => {
    throw new Error('A fault of the page.');
  });
  const onChange = vi.fn();
  tab.outbox.onChange(onChange);
  await tab.group('Kad');
  await become(tab, 'Kad done');
  expect(onChange.mock.calls.length).toBeGreaterThan(2);
  expect(reported).toHaveLength(onChange.mock.calls.length);
});

it('shows its actions to a component of Vue until that is unmounted', async () => {
  const tab = open();
  const app = createApp({}).use(outboxPlugin, tab.outbox);
  const scope = effectScope();
  const { actions } = app.runWithContext(() => scope.run(useOutbox) as UsedOutbox);
  await tab.group('Kad');
  await expect.poll(() => actions.value).toMatchObject([{ title: 'Kad', state: 'done' }]);
  scope.stop();
  const shown = actions.value;
  await tab.page.run(() => tab.outbox.clear());
  expect(actions.value).toBe(shown);
});

it('stores what is sent of a form: of reactive objects, and of values that write themselves as JSON', async () => {
  const tab = open();
  class Amount {
    readonly cents = 1_000;
    toJSON() {
      return '10.00';
    }
  }
  const amountExclTax = new Amount() as unknown as string;
  const invoice = reactive({ docType: 'INVOICE' as const, docNumber: 'FORM-1', lines: [{ amountExclTax }] });
  const input = reactive({ queueId: '42', invoice });
  await tab.page.run(() => tab.outbox.add(ImportMalaysiaInvoiceDocument, { input }, { title: 'form' }));
  await become(tab, 'form done');
  const sent = JSON.parse(world.relay.requests[0]?.body ?? '').variables.input;
  expect(sent.invoice).toEqual({ ...invoice, lines: [{ amountExclTax: '10.00' }] });
});

it('refuses more actions than its bound, until one is done, and shows the same in every tab', async () => {
  browser.setOnline(false);
  const [tab, other] = [open({ maxActions: 2 }), open({ maxActions: 2 })];
  await tab.group('one');
  await other.group('two');
  await expect(tab.group('three')).rejects.toMatchObject({ name: 'OutboxFullError', bound: 'actions' });
  for (const each of [tab, other]) await become(each, 'one waiting', 'two waiting');
  browser.setOnline(true);
  await become(tab, 'one done', 'two done');
  await tab.group('three');
  for (const each of [tab, other]) await become(each, 'one done', 'two done', 'three done');
});

it('refuses more bytes than its bound, in all tabs together, and keeps no file of an action that is done', async () => {
  browser.setOnline(false);
  const [one, other] = [open({ maxBytes: 10_000 }), open({ maxBytes: 10_000 })];
  await one.scan('large', 6_000);
  await expect(other.scan('too large', 6_000)).rejects.toMatchObject({ bound: 'bytes' });
  expect(browser.databases.text()).toContain('queueId');
  browser.setOnline(true);
  await become(one, 'large done');
  expect(browser.databases.text()).not.toContain('queueId');
  await other.scan('fits now', 6_000);
  await become(other, 'large done', 'fits now done');
});

it('refuses an action that the device has no space for, and sends nothing that it cannot note as sent', async () => {
  browser.setOnline(false);
  const tab = open();
  await tab.group('one');
  browser.databases.isFull = () => true;
  await expect(tab.group('two')).rejects.toMatchObject({ name: 'OutboxFullError', bound: 'storage' });
  browser.setOnline(true);
  await sentAll(tab);
  expect(world.relay.requests).toEqual([]);
  browser.databases.isFull = () => false;
  await become(tab, 'one done');
  expect(world.done()).toEqual(['one']);
});

it('does an action once although its result cannot be stored for a while', async () => {
  let isFull = true;
  browser.databases.isFull = () => isFull && world.done().length > 0;
  const tab = open();
  await tab.group('one');
  await expect.poll(() => world.relay.requests.length).toBeGreaterThan(2);
  expect(statesOf(tab)).toEqual(['one sent']);
  isFull = false;
  await become(tab, 'one done');
  expect(world.done()).toEqual(['one']);
});

it('keeps the actions of each user apart, and clears those of one', async () => {
  browser.setOnline(false);
  const alice = open();
  const bob = open({ user: 'bob' });
  await alice.scan('of alice');
  await bob.group('of bob');
  expect(await alice.page.run(() => hasOutbox('carol'))).toBe(false);
  expect(await alice.page.run(() => hasOutbox('bob'))).toBe(true);
  await alice.page.run(alice.outbox.clear);
  expect(statesOf(alice)).toEqual([]);
  expect(browser.databases.text()).not.toContain('of alice');
  await become(bob, 'of bob waiting');
  browser.setOnline(true);
  await become(bob, 'of bob done');
  expect(world.done()).toEqual(['of bob']);
});

it('is refused for a user without an id: the next one would send what this one has stored', async () => {
  expect(() => open({ user: '' })).toThrow(new TypeError('"user" must be the id of a user.'));
});

it('stores an action once when it is added twice under one key', async () => {
  const tab = open();
  const input = { name: 'once', idempotencyKey: 'order-4711' };
  for (const title of ['once', 'twice'])
    await tab.page.run(() => tab.outbox.add(CreateGroupDocument, { input }, { title }));
  await become(tab, 'once done');
  expect(world.done()).toEqual(['once']);
});

it.each([
  ['a list of writes', ImportMalaysiaInvoicesDocument, { input: [{ idempotencyKey: 'order-4711' }] }],
  ['a query', parse('query Q($input: I!) { group(input: $input) { __typename } }'), { input: {} }],
  ['a query with other variables', MexicoValidationDocument, { by: { documentId: '1' } }],
  ['a write without a key', ExportDocumentsDocument, { input: {} }],
  ['a key that the gateway refuses', CreateGroupDocument, { input: { idempotencyKey: 'order 4711' } }],
  ['no type of the result', parse('mutation M($input: I!) { group(input: $input) { id } }'), { input: {} }],
  ['another variable', parse('mutation M($a: I!) { group(input: $a) { __typename } }'), { a: {}, input: {} }],
])('refuses to store a document that it could not ask about: %s', async (_title, document, variables) => {
  const { outbox, page } = open();
  const add = () => outbox.add(document as typeof CreateGroupDocument, variables as { input: object });
  await expect(page.run(add)).rejects.toThrow(/must/);
  expect(await page.run(outbox.list)).toEqual([]);
});

const error = (sideEffect: string | undefined, more: object = {}) => ({
  message: 'm',
  extensions: { sideEffect, ...more },
});
const scanned = { __typename: 'ScanResult', id: 'ScanResult:7', documentId: '7', status: 'COMPLETED' };

it.each([
  [
    { data: { scan: scanned }, errors: [] },
    { state: 'done', result: { documentId: '7' } },
  ],
  [{ data: { __typename: 'Mutation', scan: scanned }, errors: [error('APPLIED')] }, { state: 'done' }],
  [{ data: { scan: { ...scanned, documentId: '' } }, errors: [error('POSSIBLE')] }, { state: 'unknown' }],
  [{ data: { scan: { ...scanned, documentId: '' } }, errors: [] }, { state: 'unknown' }],
  [{ data: { scan: { __typename: 'InvalidInput', problems: [] } }, errors: [] }, { state: 'refused' }],
  [{ data: { scan: null }, errors: [error('APPLIED')] }, { state: 'done' }],
  [{ data: null, errors: [error('POSSIBLE', { retryable: true })] }, { state: 'unknown' }],
  [{ data: null, errors: [error(undefined)] }, { state: 'unknown' }],
  [{ data: null, errors: [error('NONE')] }, { state: 'refused' }],
  [{ data: null, errors: [error('NONE', { retryable: true })] }, { state: 'waiting' }],
  [{ data: null, errors: [error('NONE', { code: 'UNAUTHENTICATED' })] }, { state: 'waiting' }],
])('makes of the response %j the outcome %j', (response, outcome) => {
  expect(outcomeOf(response)).toMatchObject(outcome);
});

it('makes nothing of a response that is not about the action', () => {
  expect(outcomeOf({ data: undefined, errors: [] })).toBeUndefined();
  expect(outcomeOf({ data: { __typename: 'Mutation', scan: null }, errors: [] })).toBeUndefined();
});

it('sends an unknown action again only with another key, and only when sendAgain is called', async () => {
  world.sandbox.faults.set({ endpoint: 'createGroup', fault: 'status-503' });
  const tab = open();
  await tab.group('Kad');
  await become(tab, 'Kad unknown');
  const [{ id, idempotencyKey, errors } = { id: 0, idempotencyKey: '', errors: [] }] = tab.outbox.current();
  expect(errors).toMatchObject([{ extensions: { sideEffect: 'POSSIBLE' } }]);
  await tab.group('other');
  await become(tab, 'Kad unknown', 'other done');
  expect(await tab.page.run(() => tab.outbox.sendAgain(id))).toBe(true);
  expect(await tab.page.run(() => tab.outbox.sendAgain(id))).toBe(false);
  await become(tab, 'Kad done', 'other done');
  expect(world.done()).toEqual(['other', 'Kad']);
  const keys = world.relay.requests.flatMap(({ body }) => /"idempotencyKey":"(\w+)"/.exec(body)?.[1] ?? []);
  expect(keys.filter((key) => key === idempotencyKey)).toHaveLength(1);
  expect(tab.outbox.current()[0]?.idempotencyKey).toBe(keys.at(-1));
});

it('asks with the token that an action was sent with, although it was renewed since', async () => {
  const tab = open();
  world.relay.loseResponses(1);
  world.sandbox.faults.set({ endpoint: 'createGroup', fault: 'slow-300' });
  await tab.group('Kad');
  while (world.relay.requests.length === 0) await new Promise(setImmediate);
  session.renew('renewed');
  await become(tab, 'Kad done');
  const tokens = world.relay.requests.map(({ headers }) => headers.get('authorization'));
  expect(new Set(tokens)).toEqual(new Set(['Bearer token']));
  expect(world.done()).toEqual(['Kad']);
});

it('renews an expired token, and waits for another one when there is none', async () => {
  const tab = open({}, { fetchToken: async () => 'fresh' }, 'expired-1');
  await tab.scan('with the fresh one');
  await become(tab, 'with the fresh one done');
  tab.page.kill();

  const signedOut = open({}, {}, 'expired-2');
  await signedOut.scan('later');
  await expect.poll(() => signedOut.outbox.current()[1]?.errors).toHaveLength(1);
  expect(statesOf(signedOut).at(-1)).toBe('later waiting');
  const count = world.relay.requests.length;
  await signedOut.scan('last');
  await sentAll(signedOut);
  expect(world.relay.requests).toHaveLength(count);
  signedOut.page.run(() => session.renew('signed-in-again'));
  await become(signedOut, 'with the fresh one done', 'later done', 'last done');
  expect(world.relay.requests).toHaveLength(count + 2);
});

it('sends an action whose refusal was not stored yet when the page signed in again', async () => {
  const tab = open({}, { onSignOut: () => queueMicrotask(() => session.renew('fresh')) }, 'expired');
  await tab.group('Kad');
  await become(tab, 'Kad done');
  expect(world.done()).toEqual(['Kad']);
});

it('does not send an action again whose key the gateway may have forgotten', async () => {
  const tab = open({ keyLifetimeMs: 0 });
  world.relay.loseRequests(1);
  await tab.group('Kad');
  await become(tab, 'Kad unknown');
  expect(world.done()).toEqual([]);
});

it('refuses an action after 20 attempts whose file arrived too slowly, with the error of the gateway', async () => {
  const tooSlow = error('NONE', { code: 'BAD_REQUEST', retryable: true });
  const gateway = forTest(await startService(json(408, { errors: [tooSlow], data: null })));
  world.relay.leadTo(gateway.url);
  // Without it, the delays between attempts grow to 30 seconds.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const tab = open();
  await tab.scan('large');
  await become(tab, 'large refused');
  expect(tab.outbox.current()[0]?.errors).toEqual([tooSlow]);
  // What may pass is sent three times in one attempt.
  expect(gateway.received).toHaveLength(60);
});

/** Leads to a service that refuses each action for a time, as the gateway does: for seconds in a browser that is not so fast. */
async function refuseFor(retryAfterMs: number) {
  browser = new FakeBrowser(10);
  const refusal = error('NONE', { code: 'RATE_LIMITED', retryable: true, retryAfterMs });
  const gateway = forTest(await startService(json(200, { errors: [refusal], data: null })));
  world.relay.leadTo(gateway.url);
  return gateway;
}

it.each([
  ['is closed', async (tab: Tab) => tab.outbox.close()],
  [
    'is cleared in another tab',
    async () => {
      const { outbox, page } = open();
      await page.run(outbox.clear);
    },
  ],
])('does not repeat what the gateway refused for a time after it %s', async (_title, end) => {
  const gateway = await refuseFor(20_000);
  const tab = open();
  await tab.group('Kad');
  await expect.poll(() => gateway.received).toHaveLength(1);
  await end(tab);
  await sentAll(tab);
  expect(gateway.received).toHaveLength(1);
});

it('waits for at most a day, whatever time a response requires', async () => {
  await refuseFor(Number.MAX_SAFE_INTEGER);
  const tab = open();
  await tab.group('Kad');
  await expect.poll(() => tab.outbox.current()[0]?.refusedUntil).toBeGreaterThan(0);
  const { refusedUntil = 0, addedAt = 0 } = tab.outbox.current()[0] ?? {};
  const hour = 3_600_000;
  expect(refusedUntil - addedAt).toBeGreaterThan(23 * hour);
  expect(refusedUntil - addedAt).toBeLessThan(25 * hour);
});

it('sends no action again before the time that the gateway requires, although others are added', async () => {
  const gateway = await refuseFor(31_000);
  const tab = open();
  await tab.group('one');
  await expect.poll(() => tab.outbox.current()[0]?.errors).toHaveLength(1);
  await tab.group('two');
  browser.setOnline(false);
  browser.setOnline(true);
  await sentAll(tab);
  expect(gateway.received).toHaveLength(1);
  world.relay.leadTo(world.gatewayUrl);
  await become(tab, 'one done', 'two done');
});

it('sends no action again before the time that the gateway requires, although the page is loaded again', async () => {
  const gateway = await refuseFor(60_000);
  const tab = open();
  await tab.group('Kad');
  await expect.poll(() => tab.outbox.current()[0]?.errors).toHaveLength(1);
  tab.page.kill();
  const next = open();
  await expect.poll(() => next.outbox.current()).toHaveLength(1);
  await sentAll(next);
  expect(gateway.received).toHaveLength(1);
});

it('does not wait for a day when the clock of the device was set back by one after a refusal', async () => {
  const { now } = Date;
  let aheadMs = 24 * 3_600_000;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
  await refuseFor(31_000);
  const tab = open();
  await tab.group('Kad');
  await expect.poll(() => tab.outbox.current()[0]?.errors).toHaveLength(1);
  tab.page.kill();
  aheadMs = 0;
  world.relay.leadTo(world.gatewayUrl);
  await become(open(), 'Kad done');
});

it('does not send an action again when the clock of the device was set back since', async () => {
  const { now } = Date;
  let aheadMs = 24 * 3_600_000;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
  world.relay.setOffline(true);
  const tab = open();
  await tab.group('Kad');
  await become(tab, 'Kad sent');
  // A write is not sent again.
  await expect.poll(world.relay.refused).toBeGreaterThan(0);
  aheadMs = 0;
  world.relay.setOffline(false);
  await become(tab, 'Kad unknown');
  expect(world.done()).toEqual([]);
});

it('sends nothing more after it is closed, and what it stored is sent by the next one', async () => {
  browser.setOnline(false);
  const tab = open();
  await tab.group('Kad');
  tab.outbox.close();
  browser.setOnline(true);
  const next = open();
  await become(next, 'Kad done');
  expect(statesOf(tab)).toEqual(['Kad waiting']);
  expect(world.done()).toEqual(['Kad']);
});
