/** Responses whose names and texts are as long as a response can be: little time, and no more memory than they have. */
import { getHeapStatistics } from 'node:v8';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Credentials } from '../../src/caller.ts';
import { createGroupEndpoint } from '../../src/features/group/group.api.ts';
import { reportedBeside } from '../../src/upstream/texts/service-texts.ts';
import { withoutAddresses, withoutCredentials } from '../../src/upstream/texts/text-redaction.ts';
import { gatewayOfService } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';
import { cpuClock, longestTurn } from '../support/work.ts';

afterEach(() => vi.restoreAllMocks());

const { service, gateway } = await gatewayOfService();

const status = '{ malaysiaStatus(documentId: "1") { state message } }';
const anImport = `mutation {
  importMalaysiaInvoice(
    input: { queueId: "1", invoice: { docType: INVOICE, docNumber: "1", supplier: {}, buyer: {}, lines: [] } }
  ) { __typename }
}`;

/** The code of the error or `ok`, once it was handled within half a second of the thread's time. */
async function outcomeOf(behaviour: does.Behaviour, operation = status): Promise<unknown> {
  service.will(behaviour);
  const spentMs = cpuClock();
  const { errors } = await gateway.ask(operation);
  expect(spentMs()).toBeLessThan(500);
  return errors?.[0]?.extensions['code'] ?? 'ok';
}

/** Bytes of the heap that were ever allocated. */
const allocatedBytes = () =>
  (getHeapStatistics() as unknown as { total_allocated_bytes: number }).total_allocated_bytes;

const many = (count: number, member: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => member(index)).join(',');
const json = (code: number, text: string) => does.text(code, text, { 'content-type': 'application/json' });
const errorsOf = (members: string) => json(400, `{"errors":[{${members}}]}`);
const queued = (members: string) => json(200, `{"status":"queued",${members}}`);
const numbers = (...values: string[]) => queued(`"other":[${values}]`);

/** `count` bytes that are not UTF-8, and then others. */
const notUtf8 = (count: number, others = 0) => {
  const text = `{"status":"queued","other":"${'é'.repeat(count)}${'e'.repeat(others)}"}`;
  return does.text(200, Buffer.from(text, 'latin1'));
};

const digits = (count: number) => '1'.repeat(count);
const fourMillion = Array(4).fill(digits(1_000_000));
const [unreadable, invalid] = ['UPSTREAM_BAD_RESPONSE', 'BAD_USER_INPUT'];

it.each<[what: string, code: string, does.Behaviour]>([
  [
    '30 comments of XML',
    unreadable,
    does.text(200, `${'<!---->'.repeat(30)}x`, { 'content-type': 'text/xml' }),
  ],
  ['a path of 6 million steps', invalid, errorsOf(`"path":"${'a.'.repeat(6_000_000)}","message":"a"`)],
  ['9,000 long names in an error', invalid, errorsOf(many(9_000, (at) => `"${'A_'.repeat(700)}${at}":1`))],
  [
    '20,000 codes behind 1,001 values without a text',
    invalid,
    json(
      400,
      `{"message":[${many(1_001, () => '1')}],"errors":[${many(20_000, (at) => `{"code":"c${at}"}`)}]}`,
    ),
  ],
  [
    '1,000 differences below a long name',
    'ok',
    queued(`"data":{"${'a'.repeat(1_000_000)}":{"status":"a",${many(999, (at) => `"n${at}":1`)}}}`),
  ],
  ['12 million bytes that are not UTF-8, 36 in its text', unreadable, notUtf8(12_000_000)],
  ['12 million bytes of which one is not UTF-8', 'ok', notUtf8(1, 12_000_000)],
  ['4 million digits', 'ok', numbers(...fourMillion)],
  ['4 million digits and one more', unreadable, numbers('1', ...fourMillion)],
  ['an exponent of 4,000,001 digits', unreadable, numbers(`1e${'0'.repeat(4_000_000)}`)],
  [
    '10,001 members of one name above 1 KiB',
    unreadable,
    queued(`"other":{${many(10_001, () => `"${'a'.repeat(1_025)}":1`)}}`),
  ],
])('a response with %s costs little time', async (_what, code, behaviour) => {
  expect(await outcomeOf(behaviour)).toBe(code);
});

it.each([
  ['6 million characters in its place', unreadable, `"data":"${'a'.repeat(6_000_000)}"`],
  [
    '9,000 lists of failures',
    'ok',
    many(9_000, (list) => `"failed${list}":[${many(15, (at) => `"${list} ${at}"`)}]`),
  ],
  ['100,000 failures', 'ok', `"failedIds":[${many(100_000, (at) => `${at}`)}]`],
])('the response to an import with %s costs little time', async (_what, code, members) => {
  const id = code === 'ok' ? '"docId":7,' : '';
  expect(await outcomeOf(json(200, `{${id}${members}}`), anImport)).toBe(code);
});

it('the numbers of a large response are read in several turns of the event loop', async () => {
  const response = queued(`"amounts":[${many(190_000, () => '0.12345678901234567')}]`);
  const longest = longestTurn();
  expect(await outcomeOf(response)).toBe('ok');
  expect(longest()).toBeLessThan(150);
});

describe('the search for what must not be passed on', () => {
  const msOf = (search: () => unknown) => {
    const spentMs = cpuClock();
    search();
    return spentMs();
  };

  it.each([
    ...['a-', 'a.', 'a:', '0:', 'a-.', 'a/', '/a', 'a@', 'a-a/', 'a/a.', '/a.', '1.', '::a ', '_'],
    // Hosts and files whose parts have many hyphens.
    ...[`${'a-'.repeat(31)}a.`, `${'a-'.repeat(49)}a/`],
  ])('takes little time for hosts and files: %s', (part) => {
    const text = part.repeat(40_000 / part.length);
    expect(msOf(() => withoutAddresses(text))).toBeLessThan(250);
  });

  it('takes little time for a credential that is like the text', () => {
    const apiKey = `${'a'.repeat(10)}b${'a'.repeat(8_000)}`;
    const text = 'a'.repeat(64 * 1_024);
    const credentials = { apiKey, authorization: `Bearer ${apiKey}` };
    expect(msOf(() => withoutCredentials(text, credentials))).toBeLessThan(200);
  });
});

describe('a long name', () => {
  const long = 'a'.repeat(1_000_000);

  it('is not repeated for each text below it', async () => {
    const texts = Array(600).fill('TIN');
    service.will(does.json(200, { status: 'rejected', errors: { [long]: texts } }));
    const { data } = await gateway.ask(status);
    expect(data.malaysiaStatus.message).toMatch(/^a{99}…: TIN; a/);
  });

  it('is not copied for each problem that a write reports under it', () => {
    const items = Array.from({ length: 20 }, (_, id) => ({ id, message: 'a' }));
    const body = { [`failed${long}`]: items, failedPages: [{ id: 2, message: 'b' }] };
    const before = allocatedBytes();
    const caller = { credentials: {} as Credentials };
    const problems = reportedBeside(body, { endpoint: createGroupEndpoint, caller });
    expect(allocatedBytes() - before).toBeLessThan(2_000_000);
    expect(problems.map(({ message }) => message)).toEqual(['failedPages: 2: b']);
  });
});
