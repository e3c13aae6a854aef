/** Variables that the gateway refuses before it coerces or holds any of them. */
import { describe, expect, it } from 'vitest';
import { boundedMemoryOf } from '../../src/operation/variable-memory.ts';
import { alice, post, readResponse } from '../support/gateway.ts';
import { gatewayOfService } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';
import { leastCpuMs } from '../support/work.ts';

const { service, gateway } = await gatewayOfService();

const status = 'query ($id: ID!) { malaysiaStatus(documentId: $id) { state } }';

describe('a variable that the operation does not declare', () => {
  it('is ignored, and the call is made', async () => {
    service.will(does.json(403, {}));
    const surplus = { surplus: 'x'.repeat(1_000), ['n'.repeat(10_000)]: 1 };
    const { errors } = await gateway.ask(status, { id: '1', ...surplus });
    expect(errors?.[0]?.extensions['code']).toBe('FORBIDDEN');
    expect(service.received).toHaveLength(1);
  });

  it('may belong to another operation of the document', async () => {
    const query = `query A { __typename } ${status.replace('query', 'query B')}`;
    const response = await post(gateway, { query, operationName: 'A', variables: { id: '5001' } });
    expect(await response.json()).toEqual({ data: { __typename: 'Query' } });
  });
});

describe('the memory of variables', () => {
  it.each<[Record<string, unknown>, number]>([
    [{ a: 'abc' }, 240 + 32 + 16 + 1 + 3],
    [{ a: 'é發票' }, 240 + 32 + 16 + 1 + 6],
    [{ 票: '😀' }, 240 + 32 + 16 + 2 + 4],
    [{}, 240],
    [{ a: [] }, 240 + 32 + 16 + 1 + 48],
    [{ a: [null, true, 1] }, 240 + 32 + 16 + 1 + 48 + 3 * 16],
    [{ a: 'xyz', bc: {} }, 240 + 2 * (32 + 16) + 3 + 3 + 240],
    [{ a: [[['abc']]] }, 240 + 32 + 16 + 1 + 3 * (48 + 16) + 3],
  ])('is estimated: %j takes %i bytes', (variables, bytes) => {
    expect(boundedMemoryOf(variables)).toBe(bytes);
  });

  it('has at most 10,000 members in one list, and 1,000 in one object', () => {
    const members = (count: number) => Object.fromEntries(Array(count).fill(0).entries());
    boundedMemoryOf({ list: [Array(10_000).fill(0), Array(10_000).fill(0)], object: members(1_000) });
    for (const [variables, where, most] of [
      [{ fine: [0], ids: [Array(10_001).fill(0)] }, 'A list in the variable "ids"', 10_000],
      [{ fine: {}, in: [{ a: members(1_001) }] }, 'An object in the variable "in"', 1_000],
      [{ ['n'.repeat(61)]: members(1_001) }, `An object in the variable "${'n'.repeat(59)}…"`, 1_000],
      [members(1_001), 'An object in "variables"', 1_000],
    ] as const)
      expect(() => boundedMemoryOf(variables)).toThrow(`${where} has more than ${most} members.`);
  });
});

describe('a variable without a value', () => {
  const optional = 'query ($id: ID) { mexicoValidation(by: {documentId: $id}) { result } }';
  const defaulted = 'query ($id: ID = "1") { malaysiaStatus(documentId: $id) { state } }';
  const defaultedInput = `query ($by: MexicoValidationReference = {documentId: "1"}) { mexicoValidation(by: $by) { result } }`;

  it.each<[string, string, object]>([
    ['absent, for the one member of an input', optional, {}],
    ['null, for the one member of an input', optional, { id: null }],
    ['null instead of its default, for a required argument', defaulted, { id: null }],
    ['null instead of its default, for an input object', defaultedInput, { by: null }],
  ])('is refused as the input of the caller: %s', async (_case, query, variables) => {
    expect((await gateway.ask(query, variables)).errors?.[0]).toMatchObject({
      message: expect.stringMatching(/^Argument "Query\..*" has invalid value: /),
      extensions: { code: 'BAD_USER_INPUT' },
    });
    expect(service.received).toEqual([]);
  });
});

describe('the errors of variables', () => {
  const invoice = 'invoice: {docType: INVOICE, docNumber: "A", supplier: {}, buyer: {}, lines: []}';
  const locale = `query ($locale: Locale!) { checkMalaysiaInvoice(${invoice}) { problems { message(locale: $locale) } } }`;
  const check =
    'query ($invoice: MalaysiaInvoiceInput!) { checkMalaysiaInvoice(invoice: $invoice) { isValid } }';

  const statuses = 'query ($ids: [ID!]!) { malaysiaStatuses(documentIds: $ids) { state } }';
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const several = `query (${names.map((name) => `$${name}: ID!`)}) { ${names
    .map((name) => `${name}: malaysiaStatus(documentId: $${name}) { state }`)
    .join(' ')} }`;

  it.each<[string, string, object]>([
    ['members of a list', statuses, { ids: Array(20).fill(true) }],
    ['IDs that are too large', several, Object.fromEntries(names.map((name) => [name, 2 ** 53]))],
  ])('are at most 5 of %s, and one that says that there are more', async (_what, query, variables) => {
    const { errors = [] } = await gateway.ask(query, variables);
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(Array(6).fill('BAD_USER_INPUT'));
    expect(errors[5]?.message).toMatch(/^Too many errors/);
  });

  it('suggest a name for a wrong name of a member only in variables of up to 256 KiB', async () => {
    const messagesOf = async (length: number) => {
      const { errors = [] } = await gateway.ask(check, { invoice: { docTypee: 'A'.repeat(length) } });
      return errors.map(({ message }) => message).join();
    };
    expect(await messagesOf(1)).toMatch(/unknown field "docTypee"\. Did you mean "docType"/);
    expect(await messagesOf(300_000)).toMatch(/unknown field "docTypee", found/);
  });

  it.each([
    ['in place of a text', '{"docNumber":-12345678901234567.50}', 'string value: -12345678901234567.50'],
    ['of a list', '{"docNumber":[-12345678901234567.50]}', 'string value: [-12345678901234567.50]'],
    ['of a misspelt member', '{"total":-12345678901234567.50}', ' { total: -12345678901234567.50 }.'],
  ])('quote a number %s with all its digits', async (_where, invoice, quotation) => {
    const body = `{"query":${JSON.stringify(check)},"variables":{"invoice":${invoice}}}`;
    const { errors = [] } = await readResponse(await post(gateway, body, alice));
    expect(errors.map(({ message }) => message)).toContainEqual(expect.stringContaining(quotation));
  });

  it.each<[string, string, object]>([
    ['value of an enum', locale, { locale: 'A'.repeat(2_800_000) }],
    ['object in place of one', locale, { locale: { ['A'.repeat(2_800_000)]: 1 } }],
    ['name of a member', check, { invoice: { ['A'.repeat(2_800_000)]: 1 } }],
  ])('cost little time for a wrong %s of 3 MB', async (_what, query, variables) => {
    const spentMs = await leastCpuMs(async () => {
      const [error] = (await gateway.ask(query, variables)).errors ?? [];
      expect(error).toMatchObject({ extensions: { code: 'BAD_USER_INPUT', sideEffect: 'NONE' } });
    }, 100);
    expect(spentMs).toBeLessThan(100);
  });
});

describe('an ID in the variables', () => {
  const exported = 'mutation ($d: [ID!]!) { exportDocuments(input: {documentIds: $d}) { __typename } }';
  const exportedInput = 'mutation ($i: ExportDocumentsInput!) { exportDocuments(input: $i) { __typename } }';

  it.each<[string, string, string]>([
    ['alone', status, '{"id":9007199254740993}'],
    ['below zero', status, '{"id":-9007199254740993}'],
    ['with an exponent', status, '{"id":1e21}'],
    ['in a list', exported, '{"d":["1",9007199254740993]}'],
    ['instead of a list', exported, '{"d":9007199254740993}'],
    ['in an input object', exportedInput, '{"i":{"documentIds":[9007199254740993]}}'],
  ])('is refused as a JSON number above 2^53 - 1: %s', async (_where, query, variables) => {
    const body = `{"query":${JSON.stringify(query)},"variables":${variables}}`;
    const { errors } = await readResponse(await post(gateway, body, alice));
    expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(errors?.[0]?.message).toMatch(
      /^Variable "\$(id|d|i)" has invalid value( at (\[1\]|\.documentIds\[0\]))?: The number .*: send a string\.$/,
    );
    expect(service.received).toEqual([]);
  });

  it('is sent exactly as a string above 2^53 - 1, and as a number up to it', async () => {
    service.will(does.json(200, { exportDocumentByDocIds: { data: '"Name"\n', message: 'ok' } }));
    await gateway.ask(exported, { d: ['9007199254740993', Number.MAX_SAFE_INTEGER] });
    expect(String(service.received[0]?.body)).toBe('{"docIds":[9007199254740993,9007199254740991]}');
  });
});
