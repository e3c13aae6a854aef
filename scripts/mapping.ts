/** Which member of the service each field of the schema is read from or sent as: the rows of `docs/reference/mapping.md`. */
import { type GraphQLSchema, isInputObjectType, isObjectType } from 'graphql';
import { columns } from '../src/features/document-export/documented-columns.ts';
import { namedFields } from '../src/features/scan/scan.api.ts';

/** A member of the service. Several `fields` are separated by commas. */
export interface MappedMember {
  readonly member: string;
  readonly type: string;
  readonly fields: string;
  readonly treatment: string;
}

/** The members of one endpoint, under the heading of its section in docs/service.md. */
interface EndpointMapping {
  readonly title: string;
  readonly request: readonly MappedMember[];
  readonly response: readonly MappedMember[];
}

/** Reads rows of the form `member | type at the service | fields of the schema | what Folio does with it`. */
function members(rows: string): MappedMember[] {
  return rows
    .trim()
    .split(/\n+/)
    .map((row) => {
      const [member = '', type = '', fields = '', treatment = ''] = row.trim().split(' | ');
      return { member, type, fields, treatment };
    });
}

const cardFields = namedFields.map(
  ([name, key]) =>
    `scanDocuments.data.${key} | field object or absent | IdentityCard.${name}, IdentityCard.fields | null when absent`,
);

const exportedColumns = columns.map(
  ({ field, header }) => `column ${header} | cell | ExportedDocument.${field} | null when empty`,
);

const partyMembers = (party: 'supplier' | 'buyer') => `
  ${party}.address | assumed: object | MalaysiaPartyInput.address | absent when null
  ${party}.address.line1 | not stated | MalaysiaAddressInput.line1 | unchanged
  ${party}.address.city | not stated | MalaysiaAddressInput.city | unchanged
  ${party}.address.stateCode | not stated | MalaysiaAddressInput.stateCode | unchanged
  ${party}.address.postcode | not stated | MalaysiaAddressInput.postcode | unchanged
  ${party}.address.country | not stated | MalaysiaAddressInput.country | unchanged
  ${party}.contact | assumed: object | MalaysiaPartyInput.contact | absent when null
  ${party}.contact.telephone | not stated | MalaysiaContactInput.telephone | unchanged`;

export const endpointMappings: readonly EndpointMapping[] = [
  {
    title: 'Scan an identity card',
    request: members(`
      files | file | ScanIdentityCardInput.file | streamed, never held
      qid | string | ScanIdentityCardInput.queueId | unchanged
      handwritten | string | ScanIdentityCardInput.handwritten | written as HANDWRITTEN_FORMAT says
    `),
    response: members(`
      scanDocuments.docId | integer | ScanResult.documentId | as text, whether it is sent as a number or as text; empty with an error when absent
      scanDocuments.status | string | ScanResult.status | unchanged; null when absent
      scanDocuments.data | object | ScanResult.card | without it the card is empty
${cardFields.join('\n')}
      scanDocuments.data.DocSize | list of pairs of numbers | IdentityCard.pageSizes, PageSize.first, PageSize.second | other entries are left out
      scanDocuments.data.SmallBoxes | list of objects | IdentityCard.textBoxes | entries without a box are left out
      scanDocuments.data.SmallBoxes[].box | box | IdentityCard.textBoxes | see the elements of a box
      scanDocuments.data.SmallBoxes[].page | integer | TextBox.page | null when absent
      scanDocuments.data.num_pages | integer | IdentityCard.pageCount | null when absent
      scanDocuments.data.* | object | ExtractedField.key | the name of the member; every object that is not named above is a field
      scanDocuments.data.*.UICategory | string | ExtractedField.category | unchanged; null when absent
      scanDocuments.data.*.UIName | string | ExtractedField.label | unchanged; null when absent
      scanDocuments.data.*.UIType | string | ExtractedField.type | unchanged; null when absent
      scanDocuments.data.*.matches[] | list of objects | ExtractedField.matches | a match whose members are all null is left out: not found
      scanDocuments.data.*.matches[].match | string or null | FieldMatch.text, ExtractedField.text, ExtractedField.date | unchanged; the text of the first match that has one; that text as a date, day first
      scanDocuments.data.*.matches[].matchmulti | null or absent | FieldMatch.multi | unchanged, whatever it is
      scanDocuments.data.*.matches[].page | integer or null | FieldMatch.page, TextBox.page | the boxes of the match are on its page
      scanDocuments.data.*.matches[].keyword | box or null | FieldMatch.keywordBox | see the elements of a box
      scanDocuments.data.*.matches[].value | box or null | FieldMatch.valueBox | see the elements of a box
      scanDocuments.data.*.matches[].value[0] | number | TextBox.left | a number; a list with another value there is not a box
      scanDocuments.data.*.matches[].value[1] | number | TextBox.top | a number; a list with another value there is not a box
      scanDocuments.data.*.matches[].value[2] | number | TextBox.right | a number; a list with another value there is not a box
      scanDocuments.data.*.matches[].value[3] | number | TextBox.bottom | a number; a list with another value there is not a box
      scanDocuments.data.*.matches[].value[4] | number | TextBox.centerX | a number; a list with another value there is not a box; the order of the centre is assumed
      scanDocuments.data.*.matches[].value[5] | number | TextBox.centerY | a number; a list with another value there is not a box; the order of the centre is assumed
      scanDocuments.data.*.matches[].value[6] | string | TextBox.text | unchanged; a list without a text there is not a box
      scanDocuments.data.*.matches[].value[7] | string | TextBox.secondText | unchanged; null when it is not a text
    `),
  },
  {
    title: 'Create a group',
    request: members(`
      name | string, optional | CreateGroupInput.name | absent when null
    `),
    response: members(`
      createGroup.id | integer | Group.id | as text, whether it is sent as a number or as text; required
      createGroup.name | string | Group.name | unchanged; null when absent
      createGroup.createdAt | integer, epoch ms | Group.createdAt | a DateTime; null when absent
      createGroup.uid | integer | Group.ownerId | as text, whether it is sent as a number or as text; null when absent
      createGroup.queueCount | integer | Group.queueCount | null when absent
      createGroup.queues | list | Group.queues, Queue.id, Queue.name, Queue.raw | members of a queue are not stated: raw has all of them
    `),
  },
  {
    title: 'Export documents',
    request: members(`
      docIds | list of integers, optional | ExportDocumentsInput.documentIds | digits as JSON integers; absent when null
    `),
    response: members(`
      exportDocumentByDocIds.data | string | ExportResult.csv, ExportResult.columns, ExportResult.rows, ExportResult.rowCount | unchanged; read as CSV
      exportDocumentByDocIds.message | string | ExportResult.message | unchanged; empty when absent
      any other column | cell | ExportedDocument.value | by its header; null when empty
${exportedColumns.join('\n')}
    `),
  },
  {
    title: 'Mexico validation status',
    request: members(`
      idOrUuid | string, in the path | MexicoValidationReference.documentId, MexicoValidationReference.uuid | as the caller wrote it
    `),
    response: members(`
      documentId | string | MexicoValidation.documentId | as text, whether it is sent as a number or as text; the id that was asked for when absent
      uuid | string | MexicoValidation.uuid, MexicoValidation.rawUuid | unchanged; null when it is not a UUID, with the text in rawUuid
      validation_result | string | MexicoValidation.result, MexicoValidation.rawResult | UNKNOWN for another word
      validatedAt | string, ISO 8601 | MexicoValidation.validatedAt, MexicoValidation.rawValidatedAt | a DateTime, UTC without a zone; null when it cannot be read
      invalid_reason | string or null | MexicoValidation.invalidReason | unchanged; null when absent
      steps | object | MexicoValidation.steps, MexicoValidationStep.key | one step for each member, under its name
      steps.schema | object | MexicoValidationStep.name | SCHEMA
      steps.authorityStatus | object | MexicoValidationStep.name | AUTHORITY_STATUS: the one step that is neither schema nor rfc, whatever its name
      steps.rfc | object | MexicoValidationStep.name | RFC
      steps.*.result | string | MexicoValidationStep.result, MexicoValidationStep.rawResult | UNKNOWN for another word
      steps.*.detail | string or null | MexicoValidationStep.detail | unchanged; null when absent
    `),
  },
  {
    title: 'Request a Fapiao PDF',
    request: members(`
      the body | XML | CreateFapiaoInput.document, FapiaoDocumentInput.xml, FapiaoDocumentInput.file | byte for byte, after checks
      header name | string, optional | CreateFapiaoInput.name | absent when empty; text beyond ASCII, or with a blank at an end, encoded as FAPIAO_NAME_ENCODING says
      header qid | string, optional | CreateFapiaoInput.queueId | as name
    `),
    response: members(`
      createXmlDocument.message | string | FapiaoRequest.message | unchanged; empty when absent
      createXmlDocument.requestId | string | FapiaoRequest.requestId | unchanged; required
    `),
  },
  {
    title: 'Import a Malaysian e-invoice',
    request: members(`
      queueId | string, in the path | ImportMalaysiaInvoiceInput.queueId | as the caller wrote it, percent-encoded
      docType | not stated | MalaysiaInvoiceInput.docType | in lower case
      docNumber | not stated | MalaysiaInvoiceInput.docNumber | unchanged
      reference | object | MalaysiaInvoiceInput.reference | absent when null
      reference.originalInvoiceCodeNumber | not stated | MalaysiaReferenceInput.originalInvoiceCodeNumber | unchanged
      supplier | object | MalaysiaInvoiceInput.supplier | absent when null
      buyer | object | MalaysiaInvoiceInput.buyer | absent when null
${partyMembers('supplier')}
${partyMembers('buyer')}
      lines[] | list of objects | MalaysiaInvoiceInput.lines | in the order given
      lines[].amountExclTax | not stated | MalaysiaLineInput.amountExclTax | a JSON number with the digits of the caller
      lines[].taxes[] | list of objects | MalaysiaLineInput.taxes | in the order given
      lines[].taxes[].type | not stated | MalaysiaTaxInput.type, MalaysiaTaxInput.otherType | unchanged
      lines[].taxes[].amount | not stated | MalaysiaTaxInput.amount | a JSON number with the digits of the caller
      totals | object | MalaysiaInvoiceInput.totals | unchanged, with the digits of the caller
      any other member | not stated | MalaysiaInvoiceInput.extra, MalaysiaReferenceInput.extra, MalaysiaPartyInput.extra, MalaysiaAddressInput.extra, MalaysiaContactInput.extra, MalaysiaLineInput.extra, MalaysiaTaxInput.extra | merged into its object
    `),
    response: members(`
      requestId | string | MalaysiaImport.requestId | unchanged; null when absent
      queueId | identifier | MalaysiaImport.queueId | as text, whether it is sent as a number or as text; the one that was asked for when absent
      docId | identifier | MalaysiaImport.documentId | as text, whether it is sent as a number or as text; required
      docType | string | MalaysiaImport.docType, MalaysiaImport.rawDocType | the words of the request, in upper case
      docNumber | string | MalaysiaImport.docNumber | unchanged
      message | string | MalaysiaImport.message | unchanged; empty when absent
      trackingUrl | string | MalaysiaImport.trackingUrl | unchanged; never fetched
      govPortal | object or absent | MalaysiaImport.govPortal | found by its shape: its real name is not stated
      govPortal.submissionId | string | GovPortalSubmission.submissionId | unchanged; null when absent
      govPortal.uuid | string | GovPortalSubmission.uuid | unchanged: it is not an RFC 9562 UUID; null when absent
    `),
  },
  {
    title: 'Malaysian status',
    request: members(`
      docId | identifier, in the path | Query.malaysiaStatus(documentId:), Query.malaysiaStatuses(documentIds:), Subscription.malaysiaStatusChanged(documentId:), Subscription.malaysiaStatusesChanged(documentIds:) | as the caller wrote it
    `),
    response: members(`
      the state | not stated | MalaysiaStatus.state, MalaysiaStatus.rawState | looked for as docs/service.md, "Assumptions", says
      the reason | not stated | MalaysiaStatus.message | looked for as docs/service.md, "Assumptions", says
      the portal’s details | not stated | MalaysiaStatus.govPortal | found by their shape
      the whole response | not stated | MalaysiaStatus.raw | unchanged, without the members that do not fit into 16 KiB
    `),
  },
];

/** Fields that the service knows nothing of, by what they are made from. `*` stands for every field of a type. */
export function fieldsOfFolio(schema: GraphQLSchema): Readonly<Record<string, string>> {
  const fields = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type) && !isInputObjectType(type)) return [];
    return Object.values(type.getFields()).map((field) => ({ ...field, path: `${type.name}.${field.name}` }));
  });
  const pathsOf = (isOne: (field: (typeof fields)[number]) => unknown) =>
    fields
      .filter(isOne)
      .map(({ path }) => path)
      .join(', ');
  return {
    'the key of a normalised cache': pathsOf(({ extensions }) => extensions['isEntityId']),
    'the checks of the input, and what the service reports together with a result': pathsOf(
      ({ name }) => name === 'warnings',
    ),
    'the input': 'ExportResult.requestedCount, MalaysiaStatus.documentId, ImportMalaysiaInvoiceInput.invoice',
    'one more call to the service: Malaysian status': 'MalaysiaImport.status',
    'the watch of a status':
      'MalaysiaStatus.expected, MalaysiaStatus.isDelayed, MalaysiaStatus.isFinal, MalaysiaStatus.observedAt, MalaysiaStatus.problem, MalaysiaStatus.since, ExpectedChange.*, StatusProblem.*',
    'the idempotency ledger': `${pathsOf(({ name }) => name === 'idempotencyKey')}, WriteOutcome.*`,
    'the rules of the input':
      'InputProblem.*, InvalidInput.*, MalaysiaInvoiceCheck.*, MalaysiaComputedTotals.*, ValidationRule.*',
    'the configuration': 'GatewayInfo.*, GatewayLimits.*',
  };
}
