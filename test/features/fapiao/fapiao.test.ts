/** A Fapiao reaches the service byte for byte; an unusual one causes a warning. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendUpload, startTestGateway, type TestGateway, upload } from '../../support/gateway.ts';
import * as does from '../../support/service.ts';

let service: does.TestService;
let gateway: TestGateway;
beforeAll(async () => {
  service = await does.startService(
    does.json(200, { createXmlDocument: { requestId: 'r-1', message: 'ok' } }),
  );
  gateway = await startTestGateway({ UPSTREAM_URL: service.url });
});
afterAll(async () => {
  await gateway.close();
  await service.close();
});
beforeEach(() => {
  service.received.length = 0;
});

const selection = `... on FapiaoRequest { requestId warnings { rule severity path actual } }
  ... on InvalidInput { problems { rule severity path } }`;
const children =
  '<Header>|</Header><EInvoiceData/><SellerAuthentication/><TaxSupervisionInfo/><TaxBureauSignature/>';

async function send(bytes: Uint8Array, to: TestGateway = gateway) {
  const query = `mutation ($file: Upload!, $key: String) { createFapiao(input: { document: { file: $file }, idempotencyKey: $key }) { ${selection} } }`;
  const file = { bytes, name: 'a.xml', type: 'application/xml' };
  const { data, errors } = await sendUpload(to, upload(query, { file: null }, 'variables.file', file));
  expect(errors).toBeUndefined();
  return data.createFapiao;
}

/** 发票 in GB18030, in a file that declares it. */
const gb18030 = Buffer.concat([
  Buffer.from(`<?xml version="1.0" encoding="GB18030"?>\r\n<EInvoice>${children.split('|')[0]}`),
  Buffer.from([0xb7, 0xa2, 0xc6, 0xb1, 0x81, 0x30, 0x81, 0x30]),
  Buffer.from(`${children.split('|')[1]}</EInvoice>\n`),
]);

describe('a Fapiao', () => {
  it('as a GB18030 file is forwarded byte for byte, with one warning', async () => {
    expect(await send(gb18030)).toEqual({
      requestId: 'r-1',
      warnings: [
        { rule: 'xml-not-checked', severity: 'WARNING', path: ['document', 'file'], actual: 'GB18030' },
      ],
    });
    expect(service.received.map(({ body }) => body.equals(gb18030))).toEqual([true]);
    expect(service.received[0]?.headers['content-type']).toBe('application/xml');
  });

  it.each([
    ['a prefixed root', `<f:EInvoice xmlns:f="urn:f">${children}</f:EInvoice>`, []],
    ['a sixth child', `<EInvoice>${children}<Remark/></EInvoice>`, ['xml-further-child']],
  ])('with %s is forwarded byte for byte', async (_what, xml, rules) => {
    const { requestId, warnings } = await send(Buffer.from(xml));
    expect(requestId).toBe('r-1');
    expect(warnings.map(({ rule }: { rule: string }) => rule)).toEqual(rules);
    expect(service.received[0]?.body.toString()).toBe(xml);
  });

  it('as text that declares another encoding is sent as UTF-8, with a warning', async () => {
    service.will(does.json(200, { createXmlDocument: { requestId: 'r', message: '' } }));
    const xml = `<?xml version="1.0" encoding="GB18030"?><EInvoice>${children}</EInvoice>`;
    const query = `mutation ($xml: String!) { createFapiao(input: { document: { xml: $xml } }) { ${selection} } }`;
    const { data } = await gateway.ask(query, { xml });
    expect(data.createFapiao.warnings).toMatchObject([{ rule: 'xml-not-checked', severity: 'WARNING' }]);
    expect(service.received.map(({ body }) => body.toString())).toEqual([xml]);
  });

  it('in each of these forms is accepted by the sandbox', async () => {
    const sandboxed = await startTestGateway();
    for (const bytes of [
      gb18030,
      Buffer.from(`<f:EInvoice xmlns:f="urn:f">${children}</f:EInvoice>`),
      Buffer.from(`\uFEFF<?xml version="1.0" encoding="UTF-16"?><EInvoice>${children}</EInvoice>`, 'utf16le'),
    ]) {
      expect(await send(bytes, sandboxed)).toHaveProperty('requestId');
    }
    await sandboxed.close();
  });
});
