import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { shareOf } from '../../src/shares/bound-sizes.ts';
import { LaneBudget } from '../../src/shares/lane-budget.ts';
import { anEInvoice } from '../support/einvoice.ts';
import { alice, post, scanCard, sendUpload, startTestGateway, upload, withKey } from '../support/gateway.ts';
import { ledgerBudget, memoryLedger } from '../support/ledgers.ts';
import { forTest, gatewayOfService } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import { Random } from '../support/random.ts';
import * as does from '../support/service.ts';
import { aShares, holder } from '../support/shares.ts';
import type { Result } from '../support/transports.ts';

const made = does.json(200, { createGroup: { id: 7 } });
const { service, gateway } = await gatewayOfService(made);
let key: string;
beforeEach(() => {
  key = randomUUID();
});

const make = (name = 'a', headers = alice) =>
  gateway.ask(
    `mutation ($input: CreateGroupInput!) { createGroup(input: $input) { __typename ... on Group { id } } }`,
    { input: { name, idempotencyKey: key } },
    headers,
  );
const extensions = async (answer: ReturnType<typeof make>) => (await answer).errors?.[0]?.extensions;

describe('a scan with an idempotency key', () => {
  const bytes = randomBytes(200_000);
  const done = { scanIdentityCard: { documentId: '9' } };
  const scanned = does.json(200, { scanDocuments: { docId: 9, status: 'COMPLETED', data: {} } });
  const form = (content: Uint8Array = bytes) =>
    upload(
      'mutation ($input: ScanIdentityCardInput!) { scanIdentityCard(input: $input) { ... on ScanResult { documentId } } }',
      { input: { file: null, queueId: '1', idempotencyKey: key } },
      'variables.input.file',
      { bytes: content, name: 'card.png' },
    );
  const scan = (content?: Uint8Array) => sendUpload(gateway, form(content));
  const joins = () => metricOf(gateway, 'folio_ledger_joins_total');

  it('runs to completion when its caller disconnects after the whole file was sent', async () => {
    const held = service.hold(scanned);
    const leaving = new AbortController();
    const headers = { ...alice, 'x-graphql-yoga-csrf': '1' };
    const left = fetch(gateway.url, { method: 'POST', headers, body: form(), signal: leaving.signal });
    const respond = await held;
    leaving.abort();
    await expect(left).rejects.toThrow();
    const before = await joins();
    const again = scan();
    await expect.poll(joins).toBe(before + 1);
    respond();
    expect((await again).data).toEqual(done);
    expect(service.received).toHaveLength(1);
  });

  it('whose caller disconnects while it waits for a slot releases its key', async () => {
    const environment = { UPSTREAM_URL: service.url, UPSTREAM_CONCURRENCY_PER_CALLER: '1' };
    const narrow = forTest(await startTestGateway(environment));
    const queued = () => metricOf(narrow, 'folio_service_calls_queued{kind="upload"}');
    const held = service.hold(scanned);
    const other = scanCard(narrow);
    const respond = await held;
    service.will(scanned);
    const leaving = new AbortController();
    const headers = { ...alice, 'x-graphql-yoga-csrf': '1' };
    const body = form(randomBytes(1_000));
    const left = fetch(narrow.url, { method: 'POST', headers, body, signal: leaving.signal });
    await expect.poll(queued).toBe(1);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await expect.poll(queued).toBe(0);
    respond();
    expect((await other).data).toEqual(done);
    expect((await sendUpload(narrow, form(randomBytes(1_000)))).data).toEqual(done);
  });

  it('with another file is a conflict', async () => {
    service.will(scanned);
    await scan();
    const { errors } = await scan(randomBytes(200_000));
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT', sideEffect: 'NONE' });
    expect(service.received).toHaveLength(1);
  });

  it('that is refused half-way releases its key', async () => {
    service.will(does.jsonEarly(413, {}));
    expect((await scan()).errors?.[0]?.extensions.code).toBe('PAYLOAD_TOO_LARGE');
    service.will(scanned);
    expect((await scan()).data).toEqual(done);
  });

  it('whose caller disconnects when its response has begun is never reported as not done', async () => {
    service.will(does.beginEarly);
    const leaving = new AbortController();
    const whole = new Request(gateway.url, { method: 'POST', body: form() });
    const begun = Buffer.from(await whole.arrayBuffer()).subarray(0, -100);
    const body = new ReadableStream({ start: (stream) => stream.enqueue(begun) });
    const headers = { ...alice, ...Object.fromEntries(whole.headers), 'x-graphql-yoga-csrf': '1' };
    const sending = { method: 'POST', headers, body, duplex: 'half', signal: leaving.signal } as RequestInit;
    const left = fetch(gateway.url, sending);
    await expect
      .poll(() => metricOf(gateway, 'folio_bound_used_ratio{bound="responses"}'))
      .toBeGreaterThan(0);
    leaving.abort();
    await expect(left).rejects.toThrow();
    const outcome = async () =>
      (await gateway.ask(`{ writeOutcome(idempotencyKey: "${key}") { state } }`)).data.writeOutcome?.state;
    await expect.poll(outcome).not.toBe('IN_PROGRESS');
    expect(await outcome()).toBe('OUTCOME_UNKNOWN');
  });

  it.each([
    ['a result', does.jsonEarly(200, { scanDocuments: { docId: 9, data: {} } }), 'APPLIED'],
    ['a failure', does.jsonEarly(500, {}), 'POSSIBLE'],
    ['a reset', does.resetBeforeBody, 'POSSIBLE'],
  ])(
    'that gets %s before its upload ends is never reported as not done',
    async (_what, behaviour, sideEffect) => {
      service.will(behaviour);
      const large = Buffer.alloc(5_000_000, 'x');
      await scan(large);
      const { errors } = await scan(large);
      expect(errors?.[0]?.extensions).toMatchObject({
        code: 'OUTCOME_UNKNOWN',
        sideEffect,
        retryable: false,
      });
      expect(service.received).toHaveLength(1);
    },
  );
});

describe('a write with an idempotency key', () => {
  it('that was used for another input is a conflict, and nothing is sent', async () => {
    await make('a');
    const conflict = { code: 'IDEMPOTENCY_CONFLICT', sideEffect: 'NONE', retryable: false };
    expect(await extensions(make('b'))).toMatchObject(conflict);
    expect(service.received).toHaveLength(1);
  });

  const importIn = (docNumber: string, taxType: string) =>
    `importMalaysiaInvoice(input: { idempotencyKey: "${key}", queueId: "1", invoice: { docType: INVOICE, docNumber: "${docNumber}",
      lines: [{ amountExclTax: "1", taxes: [{ otherType: "${taxType}", amount: "0" }] }] } })`;
  const fapiaoIn = (name: string, xml: string) =>
    `createFapiao(input: { idempotencyKey: "${key}", name: "${name}", document: { xml: "${xml}" } })`;

  // A later version may have other rules, or an operator other limits.
  it.each<[string, object, () => string, () => string]>([
    ['an import', { docId: 7 }, () => importIn('1', 'X'), () => importIn('1', 'SST')],
    [
      'a Fapiao',
      { createXmlDocument: { requestId: 'r' } },
      () => fapiaoIn('a', anEInvoice()),
      () => fapiaoIn('a', '<a/>'),
    ],
  ])(
    'that sent %s never has an input refused by a rule as if nothing was sent',
    async (_what, body, first, other) => {
      service.will(does.json(200, body));
      const run = (field: string) => gateway.ask(`mutation { result: ${field} { __typename } }`);
      expect((await run(other())).data.result.__typename).toBe('InvalidInput');
      expect((await run(first())).data.result.__typename).not.toBe('InvalidInput');
      expect(await extensions(run(other()))).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
      expect(service.received).toHaveLength(1);
    },
  );

  it.each(['a', 'b'])(
    'with another token is neither sent again nor shown, for the input %s',
    async (name) => {
      await make('a');
      const renewed = { ...alice, authorization: 'Bearer renewed' };
      const { data, errors } = await make(name, renewed);
      expect(data.createGroup).toBeNull();
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT', sideEffect: 'POSSIBLE' });
      expect(service.received).toHaveLength(1);
    },
  );

  it.each(['', 'short', 'with blanks in it', 'ключ-ключ', 'x'.repeat(129)])(
    'needs a key of its form, not %j',
    async (bad) => {
      key = bad;
      expect(await extensions(make())).toMatchObject({ code: 'BAD_USER_INPUT' });
      expect(service.received).toEqual([]);
    },
  );

  it('is sent exactly once in 20 runs with callers who disconnect at random times and repeat it', async () => {
    // Without connections yet, so that callers also leave while their write is being sent.
    const fresh = forTest(await startTestGateway({ UPSTREAM_URL: service.url }));
    const random = new Random('posted exactly once');
    service.will((request, response) => {
      setTimeout(() => made(request, response), random.next() * 10);
    });
    const runs = Array.from({ length: 20 }, async (_, index) => {
      const query =
        'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { ... on Group { id } } }';
      const input = { name: `run-${index}`, idempotencyKey: `run-key-${key}-${index}` };
      const headers = { ...withKey(`key-${index}`), authorization: 'Bearer t' };
      const send = (init?: RequestInit) => post(fresh, { query, variables: { input } }, headers, init);
      for (let attempt = 0; attempt < 3; attempt += 1)
        await send({ signal: AbortSignal.timeout(Math.ceil(random.next() * 30)) }).catch(() => {});
      const result = async () => (await (await send()).json()) as Result;
      let last = await result();
      // A busy machine refuses some before anything was sent.
      while (last.errors?.[0]?.extensions.code === 'RATE_LIMITED') last = await result();
      expect(last).toEqual({ data: { createGroup: { id: '7' } } });
    });
    await Promise.all(runs);
    expect(new Set(service.received.map(({ body }) => String(body))).size).toBe(20);
    expect(service.received).toHaveLength(20);
  });
});

describe('the ledger', () => {
  const request = (key: string, caller = holder('a')) => ({
    ...caller,
    key,
    input: { digest: Promise.resolve(key), consume() {} },
  });

  const ledgerWith = (budget: LaneBudget, mostJoins?: number) => memoryLedger(60_000, budget, mostJoins);

  afterEach(() => vi.useRealTimers());

  it('refuses a new key when its owner has a quarter of the bytes, until old ones expire, and evicts none', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const ledger = ledgerWith(ledgerBudget(8 * 1_600));
    await ledger.runOnce(request('one'), async () => 1);
    await ledger.runOnce(request('two'), async () => 2);
    const refusal = { code: 'RATE_LIMITED', bound: 'ledger-owner', sideEffect: 'NONE' };
    await expect(ledger.runOnce(request('three'), async () => 3)).rejects.toMatchObject(refusal);
    expect(await ledger.runOnce(request('three', holder('b')), async () => 'other')).toBe('other');
    expect(await ledger.runOnce(request('one'), async () => 'again')).toBe(1);
    vi.advanceTimersByTime(60_001);
    expect(await ledger.runOnce(request('three'), async () => 3)).toBe(3);
  });

  it('keeps a key in use when the clock of the system is set forward', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const ledger = ledgerWith(ledgerBudget(8_192));
    await ledger.runOnce(request('one'), async () => 'first');
    vi.setSystemTime(Date.now() + 24 * 60 * 60 * 1_000);
    expect(await ledger.runOnce(request('one'), async () => 'again')).toBe('first');
  });

  it('keeps an outcome of 64 KiB without room, and of a larger one that the write was carried out', async () => {
    const budget = ledgerBudget(8_192);
    const ledger = ledgerWith(budget);
    // The ledger counts twice the serialized outcome.
    const [large, small] = ['x'.repeat(32_768), 'x'.repeat(32_700)];
    expect(await ledger.runOnce(request('one'), async () => large)).toBe(large);
    const message = expect.stringContaining('The first request was carried out');
    const lost = { code: 'OUTCOME_UNKNOWN', sideEffect: 'APPLIED', message };
    await expect(ledger.runOnce(request('one'), async () => 'again')).rejects.toMatchObject(lost);
    expect(await ledger.find(request('one'))).toEqual({ state: 'done' });
    expect(budget.held).toBeLessThan(4_096);
    await ledger.runOnce(request('two', holder('b')), async () => small);
    expect(await ledger.runOnce(request('two', holder('b')), async () => 'again')).toBe(small);
  });

  it('refuses repetitions beyond the bound on those that wait, and none when the write has ended', async () => {
    const ledger = ledgerWith(ledgerBudget(64 * 1_024), 8);
    const written = Promise.withResolvers<number>();
    const send = () => ledger.runOnce(request('key'), () => written.promise);
    const sent = [send(), send(), send()];
    const message = expect.stringContaining('the same key to get the outcome of the first request');
    const refusal = {
      code: 'RATE_LIMITED',
      bound: 'joins-owner',
      sideEffect: 'NONE',
      retryable: true,
      message,
    };
    await expect(send()).rejects.toMatchObject(refusal);
    written.resolve(1);
    expect(await Promise.all(sent)).toEqual([1, 1, 1]);
    expect(await Promise.all([send(), send(), send(), send()])).toEqual([1, 1, 1, 1]);
  });

  it('leaves half of the bytes to callers accepted before, when the service accepts what each of many others writes', async () => {
    const shares = aShares(holder('known'));
    const ledger = ledgerWith(new LaneBudget(shareOf('ledger', 64 * 1_024, { leavesRoom: true }), shares));
    const send = async (apiKey: string, key: string) => {
      const caller = holder(apiKey);
      const accept = async () => shares.acceptedLanes.accept(caller);
      await ledger.runOnce(request(key, caller), accept);
    };
    let sent = 0;
    await expect(
      (async () => {
        for (; sent < 100; sent += 1) await send(`invented-${sent}`, 'first');
      })(),
    ).rejects.toMatchObject({ bound: 'ledger-newcomers', sideEffect: 'NONE' });
    expect(sent).toBeGreaterThan(15);
    for (let at = 0; at < 10; at += 1) await send('known', `key-${at}`);
    await send('invented-0', 'second');
  });
});
