/** The mutation that requests a PDF document for a Fapiao. */
import { InvalidInputError, payloadTooLarge } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { entityIdField } from '../../graphql/entity-id.ts';
import { idempotencyKeyDescription, inputOf, runOnce } from '../../graphql/idempotency-key.ts';
import { type Checked, inputWarnings, withWarnings } from '../../graphql/invalid-input.ts';
import { writeResultOf } from '../../graphql/mutation-result.ts';
import { serviceField } from '../../graphql/service-field.ts';
import type { UploadedFile } from '../../graphql/uploaded-file.ts';
import { ByteCollector } from '../../tools/byte-collector.ts';
import { checkEInvoiceXml } from './check-einvoice-xml.ts';
import { createFapiao, createFapiaoEndpoint, type FapiaoRequest } from './fapiao.api.ts';
import { xmlProblem } from './xml-rule-table.ts';

const FapiaoRequestType = builder.objectRef<FapiaoRequest & Checked>('FapiaoRequest').implement({
  description:
    'An accepted request for a PDF document. The service’s document describes no call that returns its outcome.',
  fields: (t) => ({
    id: t.field(entityIdField('FapiaoRequest', 'requestId')),
    requestId: t.exposeID('requestId', {
      nullable: false,
      description: 'Identifier of the request at the service.',
    }),
    message: t.exposeString('message', {
      nullable: false,
      description: 'Message of the service; empty when it sends none.',
    }),
    warnings: t.field(inputWarnings),
  }),
});

const CreateFapiaoResult = writeResultOf(
  'CreateFapiaoResult',
  FapiaoRequestType,
  'The accepted request, or the problems of the input.',
);

const FapiaoDocumentInput = builder.inputType('FapiaoDocumentInput', {
  description:
    'The XML e-invoice, at most `gatewayInfo.limits.maxXmlBytes` bytes: set exactly one of the two fields. It is forwarded byte for byte, because it is signed. It must be ' +
    'well-formed UTF-8 without a DOCTYPE, with the root `EInvoice` (any prefix) and its children Header, EInvoiceData, SellerAuthentication, TaxSupervisionInfo and ' +
    'TaxBureauSignature in this order. A file that declares another encoding, or is UTF-16 by its first bytes, is checked for a DOCTYPE alone, and ' +
    'forwarded with the warning `xml-not-checked`. Text that declares another encoding is checked, and sent as UTF-8 with this warning.',
  isOneOf: true,
  fields: (t) => ({
    xml: t.string({ description: 'The XML as text.' }),
    file: t.field({ type: 'Upload', description: 'The XML as a file of a multipart request.' }),
  }),
});

const CreateFapiaoInput = builder.inputType('CreateFapiaoInput', {
  description: 'The Fapiao for which to create a PDF document.',
  fields: (t) => ({
    document: t.field({ type: FapiaoDocumentInput, required: true, description: 'The XML e-invoice.' }),
    name: t.string({
      description:
        'Name of the document, sent as the header `name`: any text without control characters, at most 8,192 bytes once encoded. Printable ASCII that does not begin or end with a blank is sent unchanged; ' +
        'other text is encoded as `FAPIAO_NAME_ENCODING` selects, by default as percent-encoded UTF-8. Null or empty: the header is not sent.',
    }),
    queueId: t.id({
      description: 'Queue for the document, sent as the header `qid` under the rules of `name`.',
    }),
    idempotencyKey: t.string({ description: idempotencyKeyDescription }),
  }),
});

builder.mutationField('createFapiao', (t) =>
  t.field({
    type: CreateFapiaoResult,
    ...serviceField(
      createFapiaoEndpoint,
      'Requests a PDF document for a Chinese e-invoice. The request is accepted, not finished, when the mutation returns.',
    ),
    args: { input: t.arg({ type: CreateFapiaoInput, required: true, description: 'The Fapiao.' }) },
    async resolve(_root, { input: { document, name, queueId, idempotencyKey } }, context) {
      const { assumptions } = context;
      const { maxXmlBytes } = context.limits;
      const { xml, file } = document;
      const source = file ? 'file' : 'xml';
      const bytes = file ? await collect(file, maxXmlBytes, context) : Buffer.from(xml ?? '');
      if (bytes.length > maxXmlBytes) throw payloadTooLarge('The XML', maxXmlBytes, 'xml');
      // A lone surrogate has no form in UTF-8: other bytes than those that were signed would be sent.
      const check = () =>
        xml?.isWellFormed() === false
          ? [xmlProblem('xml-encoding', ['document', source], { expected: 'UTF-8' })]
          : checkEInvoiceXml(bytes, source);
      const problems = await context.doPart(check, bytes.length);
      const { ERROR: errors, WARNING: warnings = [] } = Object.groupBy(problems, ({ severity }) => severity);
      const fapiao = { xml: bytes, name: name || undefined, queueId: queueId || undefined };
      const input = () => inputOf(createFapiaoEndpoint.name, { ...fapiao, xml: bytes.toString('base64') });
      return await withWarnings(warnings, () =>
        runOnce(context, idempotencyKey, FapiaoRequestType.name, input, async () => {
          // Not before: what was requested under its key has its outcome, whatever the rules say now.
          if (errors) throw new InvalidInputError('The XML is not a valid Fapiao; nothing was sent.', errors);
          return await createFapiao(context.upstream, fapiao, assumptions.fapiaoNameEncoding);
        }),
      );
    },
  }),
);

/** Reads the file into memory, because it is checked before any byte is sent: the whole file, or more than `maxBytes` of it. */
async function collect(file: UploadedFile, maxBytes: number, context: Context): Promise<Buffer> {
  const bytes = new ByteCollector();
  const release = context.holdResultSoFar();
  try {
    for await (const chunk of file.take()) {
      bytes.push(chunk);
      file.hold(bytes.held);
      if (bytes.length > maxBytes) break;
    }
  } finally {
    release();
  }
  return bytes.take();
}
