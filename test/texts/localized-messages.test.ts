/** Problems of an input in the user's language, over a socket. */
import { expect, it } from 'vitest';
import { gatewayOfService } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';

const { service, gateway } = await gatewayOfService(does.json(400, { message: 'El nombre ya existe' }));

const inAll = (field: string) =>
  ['EN', 'ES', 'MS', 'ZH'].map((locale) => `${locale}: ${field}(locale: ${locale})`).join(' ');

it('a problem has its message and what is expected in each language, and English without one', async () => {
  const draft = { docType: 'INVOICE', docNumber: '1', lines: [{ amountExclTax: 'much' }] };
  const query = `query ($draft: MalaysiaInvoiceDraftInput!) { checkMalaysiaInvoiceDraft(invoice: $draft) {
    problems { rule message expected expectedZH: expected(locale: ZH) none: message(locale: null) ${inAll('message')} } } }`;
  const { data, errors } = await gateway.ask(query, { draft });
  expect(errors).toBeUndefined();
  const english = 'An amount must be a decimal number, e.g. 1436.50.';
  expect(data.checkMalaysiaInvoiceDraft.problems[0]).toEqual({
    rule: 'amount-not-decimal',
    message: english,
    expected: 'e.g. 1436.50',
    expectedZH: '例如 1436.50',
    none: english,
    EN: english,
    ES: 'Un importe debe ser un número decimal, por ejemplo 1436.50.',
    MS: 'Amaun mestilah nombor perpuluhan, contohnya 1436.50.',
    ZH: '金额必须是十进制数，例如 1436.50。',
  });
});

it('a problem of an XML states its position in each language, and what is expected as it is', async () => {
  const query = `mutation { createFapiao(input: { document: { xml: "<Invoice/>" }, name: "a", queueId: "1" }) {
    ... on InvalidInput { problems { expected(locale: ZH) ${inAll('message')} } } } }`;
  const { data } = await gateway.ask(query);
  expect(data.createFapiao.problems).toEqual([
    {
      expected: 'EInvoice',
      EN: 'The root element of the XML must be EInvoice. See line 1, column 10.',
      ES: 'El elemento raíz del XML debe ser EInvoice. Vea la línea 1, columna 10.',
      MS: 'Elemen akar XML mestilah EInvoice. Lihat baris 1, lajur 10.',
      ZH: 'XML 的根元素必须是 EInvoice。见第 1 行第 10 列。',
    },
  ]);
});

const create = `mutation ($key: String) { createGroup(input: { name: "a", idempotencyKey: $key }) {
  ... on InvalidInput { problems { rule ${inAll('message')} } } } }`;

it('a text of the service is in its own words in every language', async () => {
  const { data } = await gateway.ask(create);
  const own = 'El nombre ya existe';
  expect(data.createGroup.problems).toEqual([
    { rule: 'refused-by-service', EN: own, ES: own, MS: own, ZH: own },
  ]);
});

it('a refusal without a text is translated, also when its idempotency key is repeated', async () => {
  service.will(does.htmlPage(400));
  const first = await gateway.ask(create, { key: 'refused-once' });
  const again = await gateway.ask(create, { key: 'refused-once' });
  expect(again.data).toEqual(first.data);
  expect(first.data.createGroup.problems).toEqual([
    {
      rule: 'refused-by-service',
      EN: 'The service refused the input.',
      ES: 'El servicio rechazó los datos.',
      MS: 'Perkhidmatan menolak data ini.',
      ZH: '服务拒绝了输入的内容。',
    },
  ]);
});

it('the rules of the gateway are returned in a language', async () => {
  const { data } = await gateway.ask('{ gatewayInfo { rules { rule summary(locale: MS) } } }');
  expect(data.gatewayInfo.rules).toContainEqual({
    rule: 'postcode',
    summary: 'Poskod sepatutnya mempunyai lima digit.',
  });
});
