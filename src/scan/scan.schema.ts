import { InvalidInputError } from '../errors.ts';
import { builder } from '../graphql/builder.ts';
import { entityId, entityIdDescription } from '../graphql/entity-id.ts';
import type { UpstreamCallsExtension } from '../graphql/upstream-calls.ts';
import '../graphql/invalid-input.ts';
import { idempotencyKeyDescription, inputWithFile, runOnce } from '../graphql/idempotency.ts';
import { readPrintedDate } from './printed-date.ts';
import {
  type ExtractedField,
  type FieldMatch,
  type IdentityCard,
  type PageSize,
  type ScanResult,
  scanEndpoint,
  scanIdentityCard,
} from './scan.api.ts';
import type { TextBox } from './text-box.ts';

const TextBoxType = builder.objectRef<TextBox>('TextBox').implement({
  description:
    '`centerX`, `centerY`: the fifth and sixth number; their order is an assumption. `page`: of the box, or of its match. The unit is not stated.',
  fields: (t) => ({
    left: t.exposeFloat('left', { nullable: false, description: 'Left edge, in the document’s own unit.' }),
    top: t.exposeFloat('top', { nullable: false, description: 'Top edge, in the document’s own unit.' }),
    right: t.exposeFloat('right', {
      nullable: false,
      description: 'Right edge, in the document’s own unit.',
    }),
    bottom: t.exposeFloat('bottom', {
      nullable: false,
      description: 'Bottom edge, in the document’s own unit.',
    }),
    centerX: t.exposeFloat('centerX', {
      nullable: false,
      description: 'First centre coordinate, assumed horizontal.',
    }),
    centerY: t.exposeFloat('centerY', {
      nullable: false,
      description: 'Second centre coordinate, assumed vertical.',
    }),
    text: t.exposeString('text', { nullable: false, description: 'The text recognised in the box.' }),
    page: t.exposeInt('page', { description: 'Zero-based page; null when the service does not say.' }),
  }),
});

const FieldMatchType = builder.objectRef<FieldMatch>('FieldMatch').implement({
  description:
    'A candidate for a field’s value. `matchmulti` is null in every shown answer and left out; another value is counted as drift.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'The extracted text; null when the service sends none.' }),
    page: t.exposeInt('page', { description: 'Zero-based page; null when the service does not say.' }),
    keywordBox: t.expose('keywordBox', {
      type: TextBoxType,
      description: 'The label found next to the value; null when there is none.',
    }),
    valueBox: t.expose('valueBox', {
      type: TextBoxType,
      description: 'Where the value stands; null when not said.',
    }),
  }),
});

const ExtractedFieldType = builder.objectRef<ExtractedField>('ExtractedField').implement({
  description: 'One field of a card, found or not.',
  fields: (t) => ({
    key: t.exposeString('key', {
      nullable: false,
      description: 'The service’s own name for it, e.g. NricNumber.',
    }),
    label: t.exposeString('label', { description: 'Display name; null when the service sends none.' }),
    category: t.exposeString('category', {
      description: 'Category label; null when the service sends none.',
    }),
    type: t.exposeString('type', {
      description: 'Date or Text, as the service says it; null when it does not.',
    }),
    text: t.string({
      description: 'The first candidate’s text; null when not found.',
      resolve: firstText,
    }),
    date: t.field({
      type: 'Date',
      description:
        '`text` read as a date, day first; null when this is no date field or the text is no certain date.',
      resolve: (field) => (field.type === 'Date' ? readPrintedDate(firstText(field) ?? '') : null),
    }),
    matches: t.field({
      type: [FieldMatchType],
      nullable: false,
      description: 'Candidates; empty when not found.',
      resolve: ({ matches }) => [...matches],
    }),
  }),
});

const PageSizeType = builder.objectRef<PageSize>('PageSize').implement({
  description:
    'The two numbers of the service’s DocSize entry, in its order; which is the width is not stated.',
  fields: (t) => ({
    first: t.exposeFloat('first', { nullable: false, description: 'The first number.' }),
    second: t.exposeFloat('second', { nullable: false, description: 'The second number.' }),
  }),
});

/** The fields that the interface names, by the service's own names. */
const namedFields = {
  name: ['Name', 'Name of the card’s holder'],
  nricNumber: ['NricNumber', 'Number of the card'],
  dateOfBirth: ['DOB', 'Date of birth'],
  gender: ['Gender', 'Gender as printed'],
  nationality: ['Nationality', 'Nationality as printed'],
  issueDate: ['IssueDate', 'Date of issue'],
  expiryDate: ['ExpiryDate', 'Date of expiry; many cards have none'],
} as const;

const IdentityCardType = builder.objectRef<IdentityCard>('IdentityCard').implement({
  description: 'What was read from an identity card.',
  fields: (t) => {
    const field = ([key, meaning]: readonly [string, string]) =>
      t.field({
        type: ExtractedFieldType,
        description: `${meaning} (\`${key}\`); null when the answer has no such field.`,
        resolve: ({ fields }) => fields.find((candidate) => candidate.key === key),
      });
    return {
      name: field(namedFields.name),
      nricNumber: field(namedFields.nricNumber),
      dateOfBirth: field(namedFields.dateOfBirth),
      gender: field(namedFields.gender),
      nationality: field(namedFields.nationality),
      issueDate: field(namedFields.issueDate),
      expiryDate: field(namedFields.expiryDate),
      fields: t.field({
        type: [ExtractedFieldType],
        nullable: false,
        description: 'Every field of the answer, those the service adds later included.',
        resolve: ({ fields }) => [...fields],
      }),
      pageCount: t.exposeInt('pageCount', {
        description: 'Number of pages; null when the service does not say.',
      }),
      pageSizes: t.field({
        type: [PageSizeType],
        nullable: false,
        description: 'Size of each page; empty when the service does not say.',
        resolve: ({ pageSizes }) => [...pageSizes],
      }),
      textBoxes: t.field({
        type: [TextBoxType],
        nullable: false,
        description: 'Every text box recognised, all pages or one (zero-based).',
        args: { page: t.arg.int({ description: 'Zero-based page; null: all pages.' }) },
        resolve: ({ textBoxes }, { page }) =>
          textBoxes.filter((box) => page === undefined || page === null || box.page === page),
      }),
    };
  },
});

const ScanResultType = builder.objectRef<ScanResult>('ScanResult').implement({
  description: 'A scanned identity card; its document stays in the queue.',
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: entityIdDescription('ScanResult', 'documentId'),
      resolve: ({ documentId }) => entityId('ScanResult', documentId),
    }),
    documentId: t.exposeID('documentId', {
      nullable: false,
      description: 'Identifier of the document created in the queue. Pass it to `exportDocuments`.',
    }),
    status: t.exposeString('status', {
      description: 'As the service says it; the only value shown is COMPLETED. null when it does not say.',
    }),
    card: t.expose('card', {
      type: IdentityCardType,
      nullable: false,
      description: 'What was read from the card.',
    }),
  }),
});

const ScanIdentityCardResult = builder.errorUnion('ScanIdentityCardResult', {
  description: 'What was read, or what to correct.',
  types: [ScanResultType, InvalidInputError],
  resolveType: () => ScanResultType,
});

const ScanIdentityCardInput = builder.inputType('ScanIdentityCardInput', {
  description: 'The picture of an identity card, and where its document is to stay.',
  fields: (t) => ({
    file: t.field({
      type: 'Upload',
      required: true,
      description:
        'The picture or document, at most MAX_UPLOAD_BYTES. Its kind is judged by the service alone.',
    }),
    queueId: t.id({
      required: true,
      description: 'Queue in which the document is left: 1 to 500 characters, no control character.',
    }),
    handwritten: t.boolean({
      required: true,
      defaultValue: false,
      description: 'Whether the card is filled in by hand.',
    }),
    idempotencyKey: t.string({ description: idempotencyKeyDescription }),
  }),
});

builder.mutationField('scanIdentityCard', (t) =>
  t.field({
    type: ScanIdentityCardResult,
    description:
      'Scans an identity card; the answer holds what was read. The file is streamed: send a multipart request. ' +
      'REST: `POST /v1/documents/scan/nric`. Credentials: `x-api-key`.',
    extensions: { requiredCredentials: scanEndpoint.requiredCredentials } satisfies UpstreamCallsExtension,
    args: { input: t.arg({ type: ScanIdentityCardInput, required: true, description: 'The card.' }) },
    resolve(_root, { input: { file, queueId, handwritten, idempotencyKey } }, context) {
      const { handwrittenFormat } = context.assumptions;
      const { filename, contentType } = file;
      const scan = (content: AsyncIterable<Uint8Array>) =>
        scanIdentityCard(context.upstream, {
          queueId,
          handwritten: handwrittenFormat.replace('{value}', String(handwritten)),
          file: { filename, contentType, content },
        });
      if (idempotencyKey === null || idempotencyKey === undefined) return scan(file.take());
      const sent = { queueId, handwritten, filename, contentType };
      const input = inputWithFile(scanEndpoint.operation, sent, file.take());
      return runOnce(
        context,
        idempotencyKey,
        () => input,
        () => scan(input.content),
      );
    },
  }),
);

function firstText({ matches }: ExtractedField): string | null {
  return matches[0]?.text ?? null;
}
