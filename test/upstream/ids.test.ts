/** No id can change the path or the headers of a call: such ids are refused. `inputs.test.ts`: others are sent as written. */

import { describe, expect, it } from 'vitest';
import { anEInvoice } from '../support/einvoice.ts';
import { sendUpload, startTestGateway, upload } from '../support/gateway.ts';
import { forTest, gatewayOfService } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';

const { service, gateway } = await gatewayOfService();

const folio = 'ABCDEF01-2345-9789-0BCD-EF0123456789';
const found = does.json(200, {
  documentId: 7,
  uuid: folio,
  validation_result: 'VALID',
  validatedAt: '2026-01-01T00:00:00Z',
  steps: {},
});
const none = does.json(404, {});
const paths = () => service.received.map(({ path }) => path);
const refused = { code: 'BAD_USER_INPUT', sideEffect: 'NONE', retryable: false };

it.each([
  ...['', '.', '..', '/', '//host', '../../v1/groups', 'a/b', 'a\\b', 'a?b', 'a#b'],
  ...['a\0b', 'a\tb', 'a\r\nb', '\x7f', '\x85', '\ud83d', 'a\ude00', 'x'.repeat(129), 'x'.repeat(20_000)],
])('an id in a path is refused before a call: %j', async (id) => {
  const query = 'query ($id: ID!) { malaysiaStatus(documentId: $id) { state } }';
  const { data, errors } = await gateway.ask(query, { id });
  expect(data).toEqual({ malaysiaStatus: null });
  expect(errors?.[0]?.extensions).toMatchObject(refused);
  expect(errors?.[0]?.message).toMatch(/^documentId must be 1 to 128 characters/);
  expect(JSON.stringify(errors).length).toBeLessThan(1_000);
  expect(service.received).toEqual([]);
});

describe('a numeric id', () => {
  const mexico = 'query ($id: ID!) { mexicoValidation(by: { documentId: $id }) { result } }';
  const exported = 'mutation ($id: ID!) { exportDocuments(input: { documentIds: [$id] }) { __typename } }';

  it.each([
    ['7', '7'],
    ['007', '7'],
    ['0', '0'],
    ['000', '0'],
    ['9999999999999999999', '9999999999999999999'],
  ])('%s is exported as the JSON integer %s', async (id, integer) => {
    service.will(does.json(200, { exportDocumentByDocIds: { data: '', message: '' } }));
    await gateway.ask(exported, { id });
    expect(service.received[0]?.body.toString()).toBe(`{"docIds":[${integer}]}`);
  });

  it.each([
    ...['', '-1', '+1', '1.0', '1e3', ' 1', '1 ', '１２', 'abc', folio, '0x1F', '1'.repeat(20)],
    ...['..', '1/../2', '1?a', 'x'.repeat(20_000)],
  ])('%j is refused before a call', async (id) => {
    for (const query of [mexico, exported]) {
      const { errors } = await gateway.ask(query, { id });
      expect(errors?.[0]?.extensions).toMatchObject(refused);
      expect(JSON.stringify(errors).length).toBeLessThan(1_000);
    }
    expect(service.received).toEqual([]);
  });
});

describe('a folio', () => {
  const query = 'query ($uuid: UUID!) { mexicoValidation(by: { uuid: $uuid }) { result } }';
  const both = `query ($a: UUID!, $b: UUID!) { a: mexicoValidation(by: { uuid: $a }) { result } b: mexicoValidation(by: { uuid: $b }) { result } }`;
  const [capitals, lower] = [folio, folio.toLowerCase()];

  it.each([`${folio}}`, `{${folio}}`, folio.replaceAll('-', ''), `urn:uuid:${folio}`, `${folio}/..`])(
    '%s is refused before a call',
    async (uuid) => {
      const { errors } = await gateway.ask(query, { uuid });
      expect(errors?.[0]?.extensions).toMatchObject(refused);
      expect(service.received).toEqual([]);
    },
  );

  it('in two spellings is one call when the first is found', async () => {
    service.will(found);
    const { data } = await gateway.ask(both, { a: lower, b: capitals });
    expect(data).toEqual({ a: { result: 'VALID' }, b: { result: 'VALID' } });
    expect(paths()).toEqual([`/v2/einvoice/mexico/status/${lower}`]);
  });

  it('is not reported as never validated because another spelling is not found', async () => {
    service.will(none, found);
    const { data } = await gateway.ask(both, { a: lower, b: capitals });
    expect(data).toEqual({ a: null, b: { result: 'VALID' } });
    expect(paths()).toEqual([lower, capitals].map((uuid) => `/v2/einvoice/mexico/status/${uuid}`));
  });

  it('has its validation although the service refuses another spelling', async () => {
    service.will(does.json(400, { message: 'not a CFDI uuid' }), found);
    const { data, errors } = await gateway.ask(both, { a: lower, b: capitals });
    expect(data).toEqual({ a: null, b: { result: 'VALID' } });
    expect(errors).toMatchObject([{ path: ['a'], extensions: { code: 'BAD_USER_INPUT' } }]);
  });
});

describe('the queue of a scan, sent in a form part,', () => {
  const query =
    'mutation ($file: Upload!, $id: ID!) { scanIdentityCard(input: { file: $file, queueId: $id }) { __typename } }';
  const card = { bytes: 'a card', name: 'card.png' };
  const scan = (id: string) => sendUpload(gateway, upload(query, { file: null, id }, 'variables.file', card));

  it.each(['a\r\nb', 'a\0b', '\x7f', '\ud83d'])('%j is refused before a call', async (id) => {
    expect((await scan(id)).errors?.[0]?.extensions).toMatchObject(refused);
    expect(service.received).toEqual([]);
  });
});

it.each([`"{${folio}}"`, '"1"', '5', '[]'])(
  'the UUID %s in the text of an operation is refused with its place',
  async (uuid) => {
    const { errors } = await gateway.ask(`{ mexicoValidation(by: { uuid: ${uuid} }) { uuid } }`);
    expect(errors?.[0]?.message).toBe('UUID must have the form 8-4-4-4-12 hexadecimal digits.');
    expect(errors?.[0]).toHaveProperty('locations', [{ line: 1, column: 32 }]);
    expect(service.received).toEqual([]);
  },
);

describe('the name and the queue of a Fapiao, sent in headers,', () => {
  const accepted = does.json(200, { createXmlDocument: { requestId: 'r', message: '' } });
  const query = `mutation ($name: String, $id: ID) { createFapiao(input: { document: { xml: "${anEInvoice()}" }, name: $name, queueId: $id }) { __typename } }`;

  it.each([
    ['q.42', 'q.42'],
    ['../a b?c#d\\e', '../a b?c#d\\e'],
    ['发票', encodeURIComponent('发票')],
    [' a', '%20a'],
    ['é', '%C3%A9'],
  ])('%j is sent as %j', async (text, header) => {
    service.will(accepted);
    const { errors } = await gateway.ask(query, { name: text, id: text });
    expect(errors).toBeUndefined();
    expect(service.received[0]?.headers).toMatchObject({ name: header, qid: header });
  });

  it('have at most 8,192 bytes after their encoding', async () => {
    service.will(accepted);
    for (const name of ['n'.repeat(8_192), '票'.repeat(910)]) {
      expect((await gateway.ask(query, { name })).errors).toBeUndefined();
      expect(service.received.pop()?.headers['name']).toBe(encodeURIComponent(name));
    }
    for (const variables of [{ name: 'n'.repeat(8_193) }, { id: '票'.repeat(911) }]) {
      expect((await gateway.ask(query, variables)).errors?.[0]?.extensions).toMatchObject(refused);
    }
    expect(service.received).toEqual([]);
  });

  it('as UTF-8 are refused with a blank at an end, which receivers remove', async () => {
    service.will(accepted);
    const environment = { UPSTREAM_URL: service.url, FAPIAO_NAME_ENCODING: 'utf8' };
    const { ask } = forTest(await startTestGateway(environment));
    expect((await ask(query, { name: '发 票' })).errors).toBeUndefined();
    expect(Buffer.from(String(service.received[0]?.headers['name']), 'latin1').toString()).toBe('发 票');
    for (const name of [' 发票', '发票 ', ' '])
      expect((await ask(query, { name })).errors?.[0]?.extensions).toMatchObject(refused);
    expect(service.received).toHaveLength(1);
  });

  it('are not sent when they are absent, null or empty', async () => {
    service.will(accepted);
    for (const variables of [{}, { name: null, id: null }, { name: '', id: '' }]) {
      expect((await gateway.ask(query, variables)).errors).toBeUndefined();
    }
    for (const { headers } of service.received) {
      expect(headers).not.toHaveProperty('name');
      expect(headers).not.toHaveProperty('qid');
    }
  });

  it.each(['a\r\nx-other: b', 'a\0b', '\x85', '\ud83d'])('%j is refused before a call', async (text) => {
    for (const variables of [{ name: text }, { id: text }]) {
      const { errors } = await gateway.ask(query, variables);
      expect(errors?.[0]?.extensions).toMatchObject(refused);
    }
    expect(service.received).toEqual([]);
  });
});
