import { describe, expect, it } from 'vitest';
import type { GraphQLResponse } from '../support/gateway.ts';
import { gatewayOfService } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';

const { service, gateway } = await gatewayOfService(does.json(200, { status: 'queued' }));

const codeOf = ({ errors }: GraphQLResponse) => errors?.[0]?.extensions.code;
const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

describe('an operation that is too large', () => {
  it('with 2,001 tokens is refused, and one with 2,000 is validated', async () => {
    const withNumbers = (count: number) => gateway.ask(`{ a(b: [${times(count, () => '1')}]) }`);
    expect(codeOf(await withNumbers(1_991))).toBe('GRAPHQL_VALIDATION_FAILED');
    const answer = await withNumbers(1_992);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'OPERATION_TOO_EXPENSIVE']);
    expect(JSON.stringify(answer.errors).length).toBeLessThan(2_000);
  });

  it('with 100 fragments that spread each other is refused in little time', async () => {
    const spreads = (from: number) => times(6, (at) => `...F${(from + at) % 99}`);
    const fragments = times(99, (at) => `fragment F${at} on Query { ${spreads(at + 1)} }`);
    const answer = await gateway.ask(`{ ${times(10, (at) => `...F${at}`)} } ${fragments}`);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
    expect(answer.errors?.[0]?.message).toMatch(/^Cannot spread fragment/);
  });

  it('that can cause too many calls is rejected before the first call, with its cost and the limit', async () => {
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
    const invoice = { docType: 'INVOICE', docNumber: '1', supplier: {}, buyer: {}, lines: [] };
    const input = Array(67).fill({ queueId: '1', invoice });
    const query =
      'mutation ($input: [ImportMalaysiaInvoiceInput!]!) { importMalaysiaInvoices(input: $input) { ... on MalaysiaImport { a: status { state } b: status { state } } } }';
    expect((await gateway.ask(query, { input })).errors?.[0]?.message).toMatch(/can cause 201 calls/);
  });

  it.each([
    ['[MexicoValidationReference!]!', 'mexicoValidations(by: $list) { uuid }', { documentId: '1' }],
    ['[ID!]!', 'malaysiaStatuses(documentIds: $list) { state }', '1'],
  ])('with a list %s of 101 members is rejected', async (type, field, member) => {
    const variables = { list: Array(101).fill(member) };
    const answer = await gateway.ask(`query ($list: ${type}) { ${field} }`, variables);
    expect(codeOf(answer)).toBe('BAD_USER_INPUT');
  });
});

describe('an invalid operation', () => {
  const name = 'x'.repeat(50_000);

  it.each([
    `{ ${name} }`,
    `{ malaysiaStatus(documentId: "${name}") }`,
    `{ malaysiaStatus(wrong: "${name}") { state } }`,
    `query $$${name}`,
  ])('gets a short response, however long it is: %.30s', async (query) => {
    const answer = await gateway.ask(query);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.errors).length).toBeLessThan(6_000);
  });

  it('with a hundred errors gets at most 21 of them', async () => {
    const wrong = times(100, (index) => `wrong${index}`);
    const answer = await gateway.ask(`{ malaysiaStatus(documentId: "1") { ${wrong} } }`);
    expect(answer.errors?.length).toBeLessThanOrEqual(21);
  });
});
