/** A Fapiao reaches the service byte for byte; an unusual one causes a warning. */
import { describe, expect, it } from 'vitest';
import { aHeaderOf, anEInvoice, children, eInvoiceOf } from '../../support/einvoice.ts';
import { sendUpload, startTestGateway, type TestGateway, upload } from '../../support/gateway.ts';
import { forTest, gatewayOfService } from '../../support/lifetimes.ts';
import * as does from '../../support/service.ts';

const { service, gateway } = await gatewayOfService(
  does.json(200, { createXmlDocument: { requestId: 'r-1', message: 'ok' } }),
);

const selection = `... on FapiaoRequest { requestId warnings { rule severity path actual } }
  ... on InvalidInput { problems { rule severity path } }`;

async function send(xml: Uint8Array | string, to: TestGateway = gateway) {
  const query = `mutation ($file: Upload!) { createFapiao(input: { document: { file: $file } }) { ${selection} } }`;
  const file = { bytes: xml, name: 'a.xml', type: 'application/xml' };
  const { data, errors } = await sendUpload(to, upload(query, { file: null }, 'variables.file', file));
  expect(errors).toBeUndefined();
  return data.createFapiao;
}

async function sendText(xml: string) {
  const query = `mutation ($xml: String!) { createFapiao(input: { document: { xml: $xml } }) { ${selection} } }`;
  return (await gateway.ask(query, { xml })).data.createFapiao;
}

const declared = '<?xml version="1.0" encoding="GB18030"?>\r\n';
/** 发票 in GB18030, in a file that declares it. */
const gb18030 = Buffer.concat([
  Buffer.from(declared),
  aHeaderOf(0xb7, 0xa2, 0xc6, 0xb1, 0x81, 0x30, 0x81, 0x30),
  Buffer.from('\n'),
]);
const prefixed = anEInvoice().replace('<EInvoice>', '<f:EInvoice xmlns:f="urn:f">').replace('/EI', '/f:EI');

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

  it('that the service refuses has its reason, then the warning', async () => {
    service.will(does.json(422, { message: 'Remark is unknown' }));
    const { problems } = await send(eInvoiceOf([...children, 'Remark']));
    expect(problems).toMatchObject([{ rule: 'refused-by-service' }, { rule: 'xml-further-child' }]);
  });

  it('as text that declares another encoding is sent as UTF-8, with a warning', async () => {
    const xml = declared + anEInvoice('发票');
    const warning = { rule: 'xml-not-checked', severity: 'WARNING', path: ['document', 'xml'] };
    expect((await sendText(xml)).warnings).toMatchObject([warning]);
    expect(service.received.map(({ body }) => body.toString())).toEqual([xml]);
  });

  it('as text that has no form in UTF-8 is refused, since it would be changed', async () => {
    const problem = { rule: 'xml-encoding', severity: 'ERROR', path: ['document', 'xml'] };
    expect(await sendText(anEInvoice('\ud800'))).toEqual({ problems: [problem] });
    expect(service.received).toEqual([]);
  });

  it('in each of these forms is accepted by the sandbox', async () => {
    const sandboxed = forTest(await startTestGateway());
    const utf16 = Buffer.from(`\uFEFF<?xml version="1.0" encoding="UTF-16"?>${anEInvoice()}`, 'utf16le');
    for (const xml of [gb18030, prefixed, utf16]) {
      expect(await send(xml, sandboxed)).toHaveProperty('requestId');
    }
  });
});
