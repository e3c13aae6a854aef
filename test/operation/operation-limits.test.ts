import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GraphQLResponse, startTestGateway, type TestGateway } from '../support/gateway.ts';
import * as does from '../support/service.ts';

let service: does.TestService;
let gateway: TestGateway;
beforeAll(async () => {
  service = await does.startService(does.json(200, { status: 'queued' }));
  gateway = await startTestGateway({ UPSTREAM_URL: service.url });
});
afterAll(async () => {
  await gateway.close();
  await service.close();
});

function codeOf({ errors }: GraphQLResponse): unknown {
  return errors?.[0]?.extensions.code;
}

const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

describe('an operation that is too large', () => {
  const fan = times(
    20,
    (index) => `fragment f${index} on MexicoValidation { ...f${index + 1} ...f${index + 1} }`,
  );
  const deepFan = times(
    12,
    (index) =>
      `fragment f${index} on Query { a: __schema { ...g${index} } b: __schema { ...g${index} } } fragment g${index} on __Schema { types { fields { type { ...h${index} } } } } fragment h${index} on __Type { a: ofType { ...h${index + 1} } b: ofType { ...h${index + 1} } c: ofType { ...h${index + 1} } }`,
  );

  it.each<[string, string]>([
    ['2,001 tokens', `{ ${times(2_001, () => '__typename')} }`],
    [
      '31 aliases of one field',
      `{ mexicoValidation(by: { documentId: "1" }) { ${times(31, (index) => `a${index}: uuid`)} } }`,
    ],
    [
      '31 times the same field',
      `{ mexicoValidation(by: { documentId: "1" }) { ${times(31, () => 'uuid')} } }`,
    ],
    [
      '31 times __typename',
      `{ mexicoValidation(by: { documentId: "1" }) { ${times(31, (index) => `a${index}: __typename`)} } }`,
    ],
    [
      '21 root fields',
      `{ ${times(21, (index) => `a${index}: malaysiaStatus(documentId: "${index}") { state }`)} }`,
    ],
    [
      '11 mutations',
      `mutation { ${times(11, (index) => `a${index}: createGroup(input: {}) { __typename }`)} }`,
    ],
    ['21 directives on one field', `{ __typename ${times(21, () => '@include(if: true)')} }`],
    ['101 variables', `query (${times(101, (index) => `$a${index}: Int`)}) { __typename }`],
    [
      '101 fragments',
      `{ __typename } ${times(101, (index) => `fragment f${index} on Query { __typename }`)}`,
    ],
    ['lists nested 40 levels deep', `{ mexicoValidations(by: ${'['.repeat(40)}${']'.repeat(40)}) { uuid } }`],
    [
      'objects nested 40 levels deep',
      `{ checkMalaysiaInvoice(invoice: { extra: ${'{ a: '.repeat(40)}1${' }'.repeat(40)} }) { isValid } }`,
    ],
    ['a type nested 40 levels deep', `query ($a: ${'['.repeat(40)}Int${']'.repeat(40)}) { __typename }`],
    [
      'introspection without an end',
      `{ __schema { types { fields { type { ${'ofType { '.repeat(25)} name ${'}'.repeat(25)} } } } } }`,
    ],
    ['fragments that fan out to millions of fields', `{ ...f0 } ${deepFan}`],
  ])('with %s is rejected within five seconds', { timeout: 5_000 }, async (_title, query) => {
    const answer = await gateway.ask(query);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'OPERATION_TOO_EXPENSIVE']);
    expect(JSON.stringify(answer.errors).length).toBeLessThan(2_000);
  });

  it('is rejected over a WebSocket as over HTTP', async () => {
    const [event] = await Array.fromAsync(
      gateway.webSocketClient().iterate({ query: `{ ${times(21, (index) => `a${index}: __typename`)} }` }),
    ).catch((errors) => [{ errors }]);
    expect((event as any).errors[0].extensions.code).toBe('OPERATION_TOO_EXPENSIVE');
  });

  it.each([
    [
      'fan out a million times into one field',
      `{ mexicoValidation(by: { documentId: "1" }) { ...f0 } } ${fan} fragment f20 on MexicoValidation { uuid }`,
    ],
    ['spread each other', '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }'],
  ])('fragments that %s take less than a second', { timeout: 1_000 }, async (_title, query) => {
    expect((await gateway.ask(query)).status).toBeLessThan(500);
  });

  it('that can cause too many calls is rejected before the first call, with its cost and the limit', async () => {
    service.received.length = 0;
    const documentIds = Array.from({ length: 100 }, (_, index) => String(index));
    const query =
      'query ($documentIds: [ID!]!) { a: malaysiaStatuses(documentIds: $documentIds) { state } b: malaysiaStatuses(documentIds: $documentIds) { state } c: malaysiaStatus(documentId: "1") { state } }';
    const answer = await gateway.ask(query, { documentIds });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'OPERATION_TOO_EXPENSIVE']);
    expect(answer.errors?.[0]?.message).toBe(
      'The operation can cause 201 calls to the document service; the limit is 200.',
    );
    expect(service.received).toEqual([]);
  });

  it('includes the status of each import of a batch in its cost', async () => {
    const invoice = {
      docType: 'INVOICE',
      docNumber: '1',
      supplier: {},
      buyer: {},
      lines: [{ amountExclTax: 1, taxes: [] }],
    };
    const input = Array.from({ length: 67 }, () => ({ queueId: '1', invoice }));
    const query =
      'mutation ($input: [ImportMalaysiaInvoiceInput!]!) { importMalaysiaInvoices(input: $input) { ... on MalaysiaImport { a: status { state } b: status { state } } } }';
    expect((await gateway.ask(query, { input })).errors?.[0]?.message).toMatch(/can cause 201 calls/);
  });

  it.each(['mexicoValidations(by: $list) { uuid }', 'malaysiaStatuses(documentIds: $list) { state }'])(
    'with a list of 101 members is rejected: %s',
    async (field) => {
      const isIds = field.includes('documentIds');
      const list = Array.from({ length: 101 }, (_, index) =>
        isIds ? String(index) : { documentId: String(index) },
      );
      const type = isIds ? '[ID!]!' : '[MexicoValidationReference!]!';
      expect(codeOf(await gateway.ask(`query ($list: ${type}) { ${field} }`, { list }))).toBe(
        'BAD_USER_INPUT',
      );
    },
  );
});

describe('an invalid operation', () => {
  it('gets a short response, however long it is', async () => {
    const name = 'x'.repeat(50_000);
    for (const query of [
      `{ ${name} }`,
      `{ malaysiaStatus(documentId: "${name}") }`,
      `{ malaysiaStatus(wrong: "${name}") { state } }`,
      `query $$${name}`,
    ]) {
      const answer = await gateway.ask(query);
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.errors).length).toBeLessThan(6_000);
    }
  });

  it('with a hundred errors gets at most 21 of them', async () => {
    const answer = await gateway.ask(
      `{ malaysiaStatus(documentId: "1") { ${times(100, (index) => `wrong${index}`)} } }`,
    );
    expect(answer.errors?.length).toBeLessThanOrEqual(21);
  });
});
