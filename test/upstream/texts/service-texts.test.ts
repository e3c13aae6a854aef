/** The reasons that a service gives: in which forms they are found, and what of them is passed on. */
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../src/upstream/endpoint.ts';
import { reasonsIn, reportedBeside } from '../../../src/upstream/texts/service-texts.ts';
import { withoutCredentials } from '../../../src/upstream/texts/text-redaction.ts';
import { fc } from '../../support/fast-check.ts';
import { cpuClock } from '../../support/work.ts';

const endpoint: Endpoint = {
  ...{
    name: 'importInvoice',
    method: 'POST',
    path: '/v1/invoices',
    requiredCredentials: [],
    kind: 'write',
    envelope: 'createGroup',
  },
  inputPaths: { lines: ['invoice', 'lines'], totals: ['invoice', 'totals'], name: ['name'] },
};
const credentials = { apiKey: 'key-of-alice', authorization: 'Bearer token-of-alice' };
const call = { endpoint, caller: { credentials } };

const texts = (body: unknown) => reasonsIn(body, call).map(({ text }) => text);
const problems = (body: unknown) => reasonsIn(body, call).map(({ path, text }) => [path.join('.'), text]);

/** An error of validation for the member at the end of a path, in the form of class-validator. */
const childOf = (property: string, ...steps: string[]): object => {
  const [next, ...rest] = steps;
  return {
    property,
    ...(next ? { children: [childOf(next, ...rest)] } : { constraints: { isNumber: 'no' } }),
  };
};

describe('the reasons of a refusal', () => {
  it.each<[string, unknown, string[]]>([
    ['a text', { message: 'name exists' }, ['name exists']],
    ['an unknown member next to a path', { errors: [{ field: 'name', problem: 'no' }] }, ['no']],
    ['a list of texts', { statusCode: 400, message: ['a', 'b'], error: 'Bad Request' }, ['a', 'b']],
    ['an error', { error: 'name exists' }, ['name exists']],
    ['an error with a message', { error: { message: 'name exists', code: 7 } }, ['name exists']],
    ['errors of texts', { errors: ['a', 'b'] }, ['a', 'b']],
    ['errors with messages', { errors: [{ message: 'a' }, { message: 'b' }] }, ['a', 'b']],
    ['errors with details', { errors: [{ title: 'No', detail: 'a' }] }, ['a', 'No']],
    ['errors by member', { errors: { name: ['a', 'b'], other: 'c' } }, ['a', 'b', 'other: c']],
    ['errors of a member that is not sent', { errors: { 'tax.id': ['no'] } }, ['tax.id: no']],
    ['errors of a label', { errors: { '税 ID': ['no'] } }, ['税 ID: no']],
    ['a pointer to a member that is not sent', { errors: [{ pointer: '/at', detail: 'no' }] }, ['at: no']],
    ['an error in a file', { errors: [{ path: '/srv/app/groups.js', message: 'no' }] }, ['no']],
    ['an error of a path of the service', { errors: [{ path: '/v1/groups', message: 'no' }] }, ['no']],
    ['errors by file', { errors: { '/srv/app/groups.js': ['no'] } }, ['no']],
    ['a member that is not sent', { detail: [{ loc: ['body', 'at'], msg: 'no' }] }, ['at: no']],
    ['a text with the name of its member', { errors: { at: ['at is required'] } }, ['at is required']],
    ['an error of an operation', { errors: [{ message: 'a', path: ['createGroup'] }] }, ['a']],
    ['an error of its input', { errors: [{ message: 'a', path: ['createGroup', 'at'] }] }, ['at: a']],
    ['members of the request', { name: ['a', 'b'], lines: [{ amount: ['c'] }] }, ['a', 'b', 'c']],
    [
      'lists of texts under any names',
      { name: ['a'], non_field_errors: ['b', 'c'], base: ['d'] },
      ['a', 'b', 'c', 'base: d'],
    ],
    ['members of the request next to others', { name: 'a', id: 7, note: 'b' }, []],
    ['a problem of RFC 9457', { type: 'about:blank', title: 'No', detail: 'a' }, ['a', 'No']],
    ['a msg', { msg: 'name exists' }, ['name exists']],
    ['a reason', { reason: 'name exists' }, ['name exists']],
    ['details of FastAPI', { detail: [{ loc: ['body', 'lines', 0], msg: 'a' }] }, ['a']],
    ['rules of NestJS', { message: [{ property: 'name', constraints: { x: 'a', y: 'b' } }] }, ['a', 'b']],
    ['plain text', 'The queue is closed.\n', ['The queue is closed.']],
    ['an envelope', { createGroup: { error: 'name exists' } }, ['name exists']],
    ['an envelope under data', { data: { createGroup: { message: 'name exists' } } }, ['name exists']],
    ['an object below that', { data: { createGroup: { group: { message: 'name exists' } } } }, []],
    ['an envelope of data', { createGroup: { id: 'G1', note: 'a note' } }, []],
    ['a code alone', { code: 'DUPLICATE_NAME' }, ['DUPLICATE_NAME']],
    ['a code with a status', { code: 'DUPLICATE_NAME', status: 409 }, ['DUPLICATE_NAME']],
    ['a numeric code alone', { code: 17, message: null }, ['code: 17']],
    ['numeric codes of documents', { errors: [{ docId: 5, code: 17 }] }, ['5.code: 17']],
    ['a numeric code of a member', { errors: { at: { code: 17 } } }, ['at.code: 17']],
    [
      'the same reason for two documents',
      {
        errors: [
          { docId: 5, message: 'a' },
          { documentId: '6', message: 'a' },
        ],
      },
      ['5: a', '6: a'],
    ],
    ['lists in a list', { errors: [['a', 'b'], [{ message: 'c' }]] }, ['a', 'b', 'c']],
    [
      'documents that the portal rejected',
      {
        rejectedDocuments: [
          { invoiceCodeNumber: 'I', error: { details: [{ message: 'a' }], message: 'No' } },
        ],
      },
      ['No', 'a'],
    ],
    ['one text of any name', { problem: 'name exists' }, ['name exists']],
    ['several texts of other names', { problem: 'name exists', at: 'name' }, []],
    ['an error that is a name alone', { errors: [{ name: 'closed' }] }, ['closed']],
    ['errors next to null', { made: null, errors: [{ message: 'a', extensions: { code: 'X' } }] }, ['a']],
    ['members of another case', { Message: 'a', Errors: ['b'] }, ['a', 'b']],
    ['an errorMessage', { errorMessage: 'name exists', errorCode: 7 }, ['name exists']],
    [
      'the response in a GraphQL error of NestJS',
      {
        errors: [
          {
            message: 'Bad Request Exception',
            extensions: { response: { message: ['a', 'b'], error: 'Bad Request' } },
          },
        ],
      },
      ['a', 'b'],
    ],
    ['the name of the status alone', { error: 'Bad Request' }, ['Bad Request']],
    ['the same text twice', { message: 'a', errors: ['a'] }, ['a']],
    ['HTML', '<html><h1>no</h1></html>', []],
    ['XML', '<error>none</error>', []],
    ['a text with tags', { message: 'Line <b>2</b> is refused: 3 <max' }, ['Line 2 is refused: 3 <max']],
    ['a name in brackets', { message: 'Expected <queue-id> in <name>' }, ['Expected queue-id in name']],
    ['a name in brackets at its beginning', { message: '<name> is required' }, ['name is required']],
    ['a list of these', { message: 'One of <a>, <b.c>, <Invoice_1>' }, ['One of , b.c, Invoice_1']],
    [
      'names of several words in brackets',
      { message: "<Tax ID> of <Buyer's name & address> and <Name/Nama> are missing" },
      ["Tax ID of Buyer's name & address and Name/Nama are missing"],
    ],
    [
      'elements with attributes',
      { message: 'See <a href="x">this and <br clear>that <i/>' },
      ['See this and that'],
    ],
    ['a path in brackets', { message: 'No value for <lines[0].amount>' }, ['No value for lines[0].amount']],
    [
      'names in brackets',
      { message: 'Expected <SALES_TAX|SERVICE_TAX>' },
      ['Expected SALES_TAX|SERVICE_TAX'],
    ],
    ['a document of XML', { message: '<error><text>no</text></error>' }, []],
    ['an element of XML without content', { message: '<error/>' }, []],
    ['tags within tags', { message: 'no <b<b>>' }, []],
    ['tags within tags at the beginning', { message: '<<b>b> no' }, []],
    ['nothing', {}, []],
    ['null', null, []],
    ['numbers and booleans', { message: 5, errors: [false, 7], error: true }, []],
    ['blanks', { message: ' \n ' }, []],
  ])('are found in %s', (_form, body, expected) => {
    expect(texts(body)).toEqual(expected);
  });

  it.each<[unknown, string]>([
    [{ message: 'lines.0.amountExclTax must be a number' }, 'invoice.lines.0.amountExclTax'],
    [{ errors: { schema: ['lines.0.amount must be a number'] } }, 'invoice.lines.0.amount'],
    [{ error: { details: { rules: ['/lines/0/amount must be number'] } } }, 'invoice.lines.0.amount'],
    [{ errors: { currency: ['name of it is missing'] } }, ''],
    [{ message: 'lines[0].taxes[1].amount must be a number' }, 'invoice.lines.0.taxes.1.amount'],
    [{ message: '"lines[0].amount" is required' }, 'invoice.lines.0.amount'],
    [{ message: '/lines/0/amount must be number' }, 'invoice.lines.0.amount'],
    [{ message: 'body/lines/0/amount must be number' }, 'invoice.lines.0.amount'],
    [{ message: 'totals should not be empty' }, 'invoice.totals'],
    [{ message: 'Name: already exists' }, 'name'],
    [{ errors: { 'lines[0].amount': ['no'] } }, 'invoice.lines.0.amount'],
    [{ errors: { '$.Name': ['no'] } }, 'name'],
    [{ errors: { lines: { 0: { amount: ['no'] } } } }, 'invoice.lines.0.amount'],
    [{ message: [childOf('lines', '0', 'taxes', '1', 'amount')] }, 'invoice.lines.0.taxes.1.amount'],
    [{ errors: [{ field: 'name', problem: 'no' }] }, 'name'],
    [{ errors: { name: 'no' } }, 'name'],
    [{ fieldErrors: { name: ['no'] } }, 'name'],
    [{ name: ['no'] }, 'name'],
    [{ lines: [{ amount: ['no'] }] }, 'invoice.lines.amount'],
    [{ lines: [{}, { amount: ['no'] }] }, 'invoice.lines.1.amount'],
    [{ errors: { lines: [null, null, { amount: ['no'] }] } }, 'invoice.lines.2.amount'],
    [{ detail: { lines: [{ amount: 'no' }, {}] } }, 'invoice.lines.0.amount'],
    [{ errors: [{}, { totals: 'no' }] }, 'invoice.totals'],
    [{ 'lines[0].amount': 'no' }, 'invoice.lines.0.amount'],
    [{ message: '[lines.0.amount] is required' }, 'invoice.lines.0.amount'],
    [{ message: 'invoice.lines.0.amount is required' }, 'invoice.lines.0.amount'],
    [{ errors: [{ objectName: 'group', field: 'name', defaultMessage: 'no', code: 'NotBlank' }] }, 'name'],
    [{ errors: [{ field: 'name', message: 'no' }] }, 'name'],
    [{ errors: [{ path: 'lines.0', msg: 'no' }] }, 'invoice.lines.0'],
    [{ errors: { 'lines.0': { path: 'lines.0', message: 'no' } } }, 'invoice.lines.0'],
    [{ errors: { 'lines.0': { pointer: '/lines/0', detail: 'no' } } }, 'invoice.lines.0'],
    [{ error: { name: 'ZodError', issues: [{ path: ['lines', 0], message: 'no' }] } }, 'invoice.lines.0'],
    [{ error: { path: 'lines.0', message: 'no' } }, 'invoice.lines.0'],
    [
      { error: { details: [{ code: 'X', target: 'lines[0].amount', message: 'no' }] } },
      'invoice.lines.0.amount',
    ],
    [{ message: [{ target: { lines: [] }, property: 'name', constraints: { a: 'no' } }] }, 'name'],
    [{ errors: [{ path: ['lines', 1], message: 'no' }] }, 'invoice.lines.1'],
    [{ errors: [{ source: { pointer: '/data/lines/0' }, detail: 'no' }] }, 'invoice.lines.0'],
    [{ detail: [{ loc: ['body', 'lines', 0, 'amount'], msg: 'no' }] }, 'invoice.lines.0.amount'],
  ])('name the member of the input: %j', (body, path) => {
    expect(problems(body).map(([found]) => found)).toEqual([path]);
  });

  it.each(['example is closed', 'lineside is closed', 'constructor is closed', 'at lines.0 is an error'])(
    'name no member when the text does not begin with one: %s',
    (message) => {
      expect(problems({ message })).toEqual([['', message]]);
    },
  );

  it('are not the members of the request in place of a result: they may be data', () => {
    const body = { name: ['Jane Example'] };
    expect(reasonsIn(body, call, { isResult: true })).toEqual([]);
  });

  it('name no member by a name at the top of the response', () => {
    expect(problems({ name: 'lines', message: 'no' })).toEqual([['', 'no']]);
  });

  it.each<[string, (steps: string[]) => unknown]>([
    ['a list', (steps) => steps],
    ['a text', (steps) => steps.join('.')],
  ])('name a member by a path of at most 12 steps of 100 characters: %s', (_form, written) => {
    const pathOf = (...steps: string[]) =>
      problems({ errors: [{ path: written(['lines', ...steps]), message: 'no' }] })[0]?.[0];
    const longest = Array(11).fill('a'.repeat(100));
    expect(pathOf(...longest)).toBe(['invoice.lines', ...longest].join('.'));
    expect(pathOf(...longest, 'a')).toBe('');
    expect(pathOf('a'.repeat(101))).toBe('');
  });

  it('are found under names of at most 200 characters', () => {
    expect(texts({ ['message'.padEnd(200, '_')]: 'a', ['message'.padEnd(201, '_')]: 'b' })).toEqual(['a']);
  });

  it('are searched for in twelve levels and a thousand values', () => {
    const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}"no"${'}'.repeat(levels)}`);
    expect(texts({ errors: nested(11) })).toEqual(['a.a.a.a.a.a.a.a.a.a.a: no']);
    expect(texts({ errors: nested(12) })).toEqual([]);
    // The response and the list are values too.
    const afterOthers = (count: number) => texts({ message: [...Array(count).fill(null), 'no'] });
    expect(afterOthers(997)).toEqual(['no']);
    expect(afterOthers(998)).toEqual([]);
  });

  it('are looked for in no item of a list beyond the last value that is searched', () => {
    const lines = Array(3_000).fill(null);
    const get = () => expect.unreachable();
    Object.defineProperty(lines, 2_000, { get });
    expect(texts({ errors: { lines } })).toEqual([]);
  });

  it.each([
    ['/lines/0/amount must be below 5', '/lines/0/amount must be below 5'],
    ['/lines/0/amount is not in /srv/app/rules.js', '/lines/0/amount is not in [removed]'],
    ['"lines.0.net" at 10.0.0.7:80', '"lines.0.net" at [removed]'],
    [
      'the value at /lines/0/amount is not in /lines/0.js',
      'the value at /lines/0/amount is not in [removed]',
    ],
    ['no /name, /data/name/0, /name/a1 or /data/name/7/a1', 'no /name, /data/name/0, [removed] or [removed]'],
  ])('keep the path of the input in their text: %j', (message, safe) => {
    expect(texts({ message })).toEqual([safe]);
  });

  it.each([
    ['see http://10.0.0.7:8080/internal?a=1 for more', 'see [removed] for more'],
    ['connect ECONNREFUSED 10.0.0.7:5432', 'connect ECONNREFUSED [removed]'],
    ['at 10.0.0.7:5432:10:15', 'at [removed][removed]'],
    ['connect ECONNREFUSED [::1]:5432', 'connect ECONNREFUSED [removed]'],
    ['hosts 0.0.0.0, 127.0.0.1:80 and 255.250.199.99', 'hosts [removed], [removed] and [removed]'],
    ['at [2001:db8::7]:443 or [::ffff:10.0.0.7]', 'at [removed] or [removed]'],
    ['failed at /srv/app/index.js:88:12', 'failed at [removed]'],
    ['at Object.run (src/app/import.ts:88)', 'at Object.run ([removed])'],
    ['cannot open C:\\app\\data.db now', 'cannot open [removed] now'],
    ['host db-1:5432 refused', 'host [removed] refused'],
    ['queue.db:4017, redis:6379 and my-tax:8080', '[removed], [removed] and [removed]'],
    [
      'connect to backend:3000, host=queue:5671 and localhost:3000',
      'connect to [removed], host=[removed] and [removed]',
    ],
    ['api.firma.no:9443, api.firma.id:9443 and jobs.mono:4017', '[removed], [removed] and [removed]'],
    ['my_queue.prod:7000 refused', '[removed] refused'],
    ['host db.internal refused', 'host [removed] refused'],
    ['host api.pool.example.net refused', 'host [removed] refused'],
    ['connect to fe80::1 and 2001:db8::ff00:42:8329 failed', 'connect to [removed] and [removed] failed'],
    ['getaddrinfo ENOTFOUND queue-service', 'getaddrinfo ENOTFOUND [removed]'],
    ['host api.tax.gov.my refused', 'host [removed] refused'],
    ['connect with password=hunter2, no reply', 'connect with password=[removed], no reply'],
    ['key KEY-OF-ALICE is bad', 'key [removed] is bad'],
    ['left \u202eto right', 'left to right'],
    ['key key-of-alice is bad', 'key [removed] is bad'],
    ['Bearer token-of-alice expired', '[removed] expired'],
    ['token token-of-alice, expired', 'token [removed], expired'],
    ['token eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.x expired', 'token [removed] expired'],
    ['two\r\nlines\u2028and\u0000more', 'two lines and more'],
  ])('do not reveal the service or the credentials: %j', (message, safe) => {
    expect(texts({ message })).toEqual([safe]);
  });

  it('contain no credential in another case, next to another one, or after a part of one', () => {
    const apiKey = 'aBaba';
    const credentials = { apiKey, authorization: undefined };
    const safe = (text: string) => withoutCredentials(text, credentials);
    expect(safe('abABAx ABABA')).toBe('[removed]x [removed]');
    expect(safe('ababababa')).toBe('[removed]baba');
    expect(safe('İabababa\nababa')).toBe('İ[removed]ba\n[removed]');
  });

  it('keep the letters of a credential of three characters, which are part of common words', () => {
    expect(withoutCredentials('the other', { apiKey: 'the', authorization: undefined })).toBe('the other');
  });

  it('contain no credential that is percent-encoded', () => {
    const credentials = { apiKey: 'a+b/c==', authorization: 'Bearer d+e/f==' };
    const safe = (text: string) => withoutCredentials(text, credentials);
    expect(safe('no a%2Bb%2Fc%3D%3D')).toBe('no [removed]');
    expect(safe('no Bearer%20d%2Be%2Ff%3D%3D, d%2be%2ff%3d%3d')).toBe('no [removed], [removed]');
  });

  it('contain no credential that is escaped as in JSON, also where slashes are', () => {
    const credentials = { apiKey: 'a+b/c==', authorization: 'Token "d\\e/f"' };
    const safe = (text: string) => withoutCredentials(text, credentials);
    expect(safe('{"key":"a+b\\/c=="}')).toBe('{"key":"[removed]"}');
    expect(safe(JSON.stringify(credentials.authorization))).toBe('"[removed]"');
  });

  it.each([
    'token-of-<b>alice</b> expired',
    'token-\u202eof-alice expired',
    'to<i>ken</i>-of-al\u2066ice expired',
  ])('contain no credential that comes together when markup and marks are removed: %j', (text) => {
    expect(texts({ message: text })).toEqual(['[removed] expired']);
  });

  it('have no credential in the path of a member', () => {
    expect(problems({ errors: { 'lines.key-of-alice': ['a'] } })).toEqual([['invoice.lines.[removed]', 'a']]);
  });

  it('contain no credential, wherever parts of it are repeated', () => {
    const letters = (minLength: number, maxLength: number) =>
      fc.string({ unit: fc.constantFrom('a', 'b'), minLength, maxLength, size: 'max' });
    fc.assert(
      fc.property(letters(4, 8), letters(0, 60), (apiKey, text) => {
        const safe = withoutCredentials(text, { apiKey, authorization: undefined });
        expect(safe).toBe(text.replaceAll(apiKey, '[removed]'));
      }),
      { seed: 1_977, numRuns: 2_000 },
    );
  });

  it.each([
    'docNumber INV-20260001 already exists',
    'Queue 123456 does not exist',
    'holder 900101145555 is unknown',
    'queueId:123456 does not exist',
    'line:1200 is wrong',
    'the date 01/02/2026 is too old',
    'submitted at 10:30:00, after 2026-01-31T10:30:00Z',
    'either A/B or C',
    'amount 1,234.50 exceeds 1e6',
    'the amounts at lines[0].taxes[12].amount and at [0] differ',
    'postcode:50480 and state_code:1000 are unknown',
    'total:10600 is not amount:10000 and tax:500',
    'sub-total:10600, net.total:10000 and totals.payable-amount:1200 differ',
    'expected:1200 got:1250, payable:10600 and lines.0.price:1000',
    'max-length:5000, buyer-id:10001 and tin:12345 of the buyer',
    'amount 1.234.567.890 is not a number',
    'the code 022.01.003.004 and the number 12.256.1.1 are unknown',
    'the sum of lines.0.net and totals.net differs',
    'amounts must be < 100 and > 0',
    'either a :: b or Decimal::add',
    'server status:422, host count:12 of the buyer',
  ])('keep the words and numbers of the caller: %s', (message) => {
    expect(texts({ message })).toEqual([message]);
  });

  it('are none of more than 64 KiB, which may be data', () => {
    const [allowed, tooLong] = ['x'.repeat(64 * 1_024), 'y'.repeat(64 * 1_024 + 1)];
    expect(texts({ errors: [{ message: tooLong }, { message: allowed }] })).toEqual([`${'x'.repeat(499)}…`]);
  });

  it('are at most 20, each of at most 500 characters', () => {
    const message = Array.from({ length: 50 }, (_, index) => `${index} ${'x'.repeat(1_000)}`);
    const reasons = texts({ message });
    expect(reasons).toHaveLength(20);
    for (const reason of reasons) expect(reason).toMatch(/^\d+ x+…$/);
    expect(Math.max(...reasons.map(({ length }) => length))).toBe(500);
  });

  it('are among the first 20 texts, also when these are the same', () => {
    expect(texts({ message: [...Array(19).fill('a'), 'b', 'c'] })).toEqual(['a', 'b']);
  });

  it('never contain a credential, markup, a line break or nothing, whatever the response is', () => {
    const piece = fc.constantFrom(
      ...['key-of-alice', 'token-of-alice', '<b>', '\n', ' ', 'lines.0', 'message', 'http://a.b/c'],
    );
    const text = fc.array(fc.oneof(piece, fc.string()), { maxLength: 6 }).map((pieces) => pieces.join(''));
    const { body } = fc.letrec((tie) => ({
      body: fc.oneof(
        { maxDepth: 5 },
        text,
        fc.jsonValue(),
        fc.array(tie('body'), { maxLength: 4 }),
        fc.dictionary(
          fc.oneof(
            fc.constantFrom(
              'message',
              'errors',
              'error',
              'detail',
              'path',
              'constraints',
              'children',
              'failed',
            ),
            text,
          ),
          tie('body'),
        ),
      ),
    }));
    fc.assert(
      fc.property(body, (value) => {
        const reasons = [...texts(value), ...reportedBeside(value, call).map(({ message }) => message)];
        for (const reason of reasons) {
          expect(reason).not.toMatch(/key-of-alice|token-of-alice|<[a-z/!?][^<>]*>|\p{Cc}|http:/iu);
          expect(reason.trim()).not.toBe('');
          expect(reason.length).toBeLessThanOrEqual(500);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('take little time for a caller with long credentials', () => {
    const path = ['lines', ...Array.from({ length: 11 }, (_, index) => `step${index}`)];
    const errors = Array.from({ length: 20 }, (_, index) => ({ path, message: `wrong ${index}` }));
    const credentials = { apiKey: '/'.repeat(7_000), authorization: `Bearer ${'+'.repeat(8_000)}` };
    const spentMs = cpuClock();
    expect(reasonsIn({ errors }, { endpoint, caller: { credentials } })).toHaveLength(20);
    // 230 ms if the credentials are searched for in texts that are shorter.
    expect(spentMs()).toBeLessThan(80);
  });
});

describe('what is reported together with a result', () => {
  const reported = (body: unknown) => reportedBeside(body, call);
  const messages = (body: unknown) => reported(body).map(({ message }) => message);

  it.each<[string, object, string[]]>([
    ['errors at the top', { made: { id: 1 }, errors: [{ message: 'a' }, { message: 'b' }] }, ['a', 'b']],
    ['errors in the envelope', { made: { id: 1, errors: ['a'] } }, ['a']],
    ['errors under data', { data: { made: { id: 1, warnings: ['a'] } } }, ['a']],
    ['warnings', { docId: 1, warnings: ['TIN not checked'] }, ['TIN not checked']],
    ['an error', { made: { id: 1, error: 'half' } }, ['half']],
    ['ids that failed', { made: { failedDocIds: [5, '6'] } }, ['failedDocIds: 5', 'failedDocIds: 6']],
    ['failures with reasons', { made: { failed: [{ docId: 5, reason: 'locked' }] } }, ['failed: 5: locked']],
    [
      'failures with codes',
      { made: { failed: [{ docId: '5', code: 'LOCKED' }] } },
      ['failed: 5: code: LOCKED'],
    ],
    [
      'reasons by id',
      { made: { failed: { 5: 'locked', 6: ['a', 'b'] } } },
      ['failed: 5: locked', 'failed: 6: a', 'failed: 6: b'],
    ],
    ['failures with numeric codes', { failed: [{ docId: 5, code: 17 }] }, ['failed: 5: code: 17']],
    ['errors with numeric codes', { errors: [{ docId: 5, code: 17 }] }, ['5.code: 17']],
    ['numeric codes by id', { failed: { 5: 17 } }, ['failed: 5: 17']],
    ['failures in a list each', { failed: [[5, 'locked'], [6]] }, ['failed: 5: locked', 'failed: 6']],
    ['lists of ids', { failed: { ids: [5, 6] } }, ['failed: ids: 5', 'failed: ids: 6']],
    ['a failure', { success: false, reason: 'TIN' }, ['success: false', 'reason: TIN']],
    [
      'items that failed',
      {
        made: {
          results: [
            { docId: 5, success: true, message: 'Done.', error: null },
            { docId: 6, success: false, message: 'locked' },
            { docId: 7, error: 'gone' },
          ],
        },
      },
      ['6: locked', '7: gone'],
    ],
    ['what was left out', { skipped: true }, ['skipped: true']],
    ['names in another case', { Warnings: ['a'], FailedIds: [5] }, ['a', 'FailedIds: 5']],
    [
      'other names',
      { failures: ['a'], rejected: [5], not_sent: [6] },
      ['failures: a', 'rejected: 5', 'not_sent: 6'],
    ],
    ['one reason by its id', { failedDocIds: { 5: 'locked' } }, ['failedDocIds: 5: locked']],
    ['a reason by an address', { failed: { 'http://a.b/c': 'locked' } }, ['failed: locked']],
    ['a reason by a file', { failed: { '/srv/a.pdf': 'locked' } }, ['failed: locked']],
  ])('is a warning for each of %s', (_form, body, expected) => {
    expect(messages(body)).toEqual(expected);
    expect(reported(body)[0]).toMatchObject({ rule: 'reported-by-service', severity: 'WARNING', path: [] });
  });

  it('names the member of the input', () => {
    const body = { made: { id: 1 }, errors: [{ message: 'no', path: ['lines', 1] }] };
    expect(reported(body)[0]?.path).toEqual(['invoice', 'lines', '1']);
  });

  it.each([
    { made: { id: 1, message: 'Done.' } },
    { made: { id: 1, errors: [], warnings: null, error: false, failed: 0, failedDocIds: [] } },
    {
      errors: [],
      made: { errors: {} },
      success: true,
      skipped: false,
      failed: { count: 0, ids: [] },
      notes: 'a',
      note: 7,
    },
    'text',
    null,
    [],
  ])('is empty when nothing is reported: %j', (body) => {
    expect(reported(body)).toEqual([]);
  });
});
