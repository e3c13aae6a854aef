/** The mutation that scans an identity card, and what the service reads from it. */
import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { entityId, entityIdField } from '../../graphql/entity-id.ts';
import { idempotencyKeyDescription, inputWithFile, runOnce } from '../../graphql/idempotency-key.ts';
import { reportedWarnings } from '../../graphql/invalid-input.ts';
import { writeResultOf } from '../../graphql/mutation-result.ts';
import { serviceField } from '../../graphql/service-field.ts';
import { remembered } from '../../tools/remembered.ts';
import { readPrintedDate } from './printed-date.ts';
import {
  type ExtractedField,
  type FieldMatch,
  type IdentityCard,
  namedFields,
  type PageSize,
  partialScan,
  type ScanResult,
  scanEndpoint,
  scanIdentityCard,
} from './scan.api.ts';
import type { TextBox } from './text-box.ts';

const TextBoxType = builder.objectRef<TextBox>('TextBox').implement({
  description: 'A text on a page, and its position. The service does not state the unit of the coordinates.',
  fields: (t) => ({
    left: t.exposeFloat('left', { nullable: false, description: 'Left edge, in the unit of the document.' }),
    top: t.exposeFloat('top', { nullable: false, description: 'Top edge, in the unit of the document.' }),
    right: t.exposeFloat('right', {
      nullable: false,
      description: 'Right edge, in the unit of the document.',
    }),
    bottom: t.exposeFloat('bottom', {
      nullable: false,
      description: 'Bottom edge, in the unit of the document.',
    }),
    centerX: t.exposeFloat('centerX', {
      nullable: false,
      description: 'Fifth number of the box array; assumed to be the horizontal centre.',
    }),
    centerY: t.exposeFloat('centerY', {
      nullable: false,
      description: 'Sixth number of the box array; assumed to be the vertical centre.',
    }),
    text: t.exposeString('text', { nullable: false, description: 'Text recognised in the box.' }),
    secondText: t.exposeString('secondText', {
      description:
        'Eighth element of the box array; null when it is not a text. Its difference from `text` is not stated.',
    }),
    page: t.exposeInt('page', { description: 'Zero-based page; null when the service sends none.' }),
  }),
});

const FieldMatchType = builder.objectRef<FieldMatch>('FieldMatch').implement({
  description: 'A candidate for the value of a field.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'Extracted text; null when the service sends none.' }),
    multi: t.expose('multi', {
      type: 'JSONObject',
      description:
        'The service’s member `matchmulti` as it is, also when it is a list or a text; null when the service sends none. Its meaning is not stated.',
    }),
    page: t.exposeInt('page', { description: 'Zero-based page; null when the service sends none.' }),
    keywordBox: t.expose('keywordBox', {
      type: TextBoxType,
      description: 'Label printed next to the value; null when there is none.',
    }),
    valueBox: t.expose('valueBox', {
      type: TextBoxType,
      description: 'Position of the value; null when the service sends none.',
    }),
  }),
});

const ExtractedFieldType = builder.objectRef<ExtractedField>('ExtractedField').implement({
  description: 'A field of a card, found or not.',
  fields: (t) => ({
    key: t.exposeString('key', {
      nullable: false,
      description: 'Name of the field at the service, e.g. NricNumber.',
    }),
    label: t.exposeString('label', { description: 'Display name; null when the service sends none.' }),
    category: t.exposeString('category', {
      description: 'Category label; null when the service sends none.',
    }),
    type: t.exposeString('type', {
      description: 'Type of the field at the service, Date or Text; null when the service sends none.',
    }),
    text: t.string({
      description: 'Text of the first candidate that has one; null when the field was not found.',
      resolve: textOf,
    }),
    date: t.field({
      type: 'Date',
      description:
        '`text` parsed as a date, day first; null when `type` is not Date or the text is not certainly a date.',
      resolve: (field) => (field.type === 'Date' ? readPrintedDate(textOf(field) ?? '') : null),
    }),
    matches: t.expose('matches', {
      type: [FieldMatchType],
      nullable: false,
      description: 'Candidates for the value; empty when the field was not found.',
    }),
  }),
});

const PageSizeType = builder.objectRef<PageSize>('PageSize').implement({
  description:
    'Size of a page: the two numbers of the service’s `DocSize` entry. The service does not state which of them is the width.',
  fields: (t) => ({
    first: t.exposeFloat('first', { nullable: false, description: 'The first number.' }),
    second: t.exposeFloat('second', { nullable: false, description: 'The second number.' }),
  }),
});

const IdentityCardType = builder.objectRef<IdentityCard>('IdentityCard').implement({
  description: 'The fields and texts recognised on an identity card.',
  fields: (t) => ({
    ...Object.fromEntries(
      namedFields.map(([name, key, meaning]) => [
        name,
        t.field({
          type: ExtractedFieldType,
          description: `${meaning} (\`${key}\`); null when the service does not send the field.`,
          resolve: ({ fields }) => fieldsByKey(fields).get(key),
        }),
      ]),
    ),
    fields: t.expose('fields', {
      type: [ExtractedFieldType],
      nullable: false,
      description: 'All fields that the service sent, including fields that this schema does not name.',
    }),
    pageCount: t.exposeInt('pageCount', {
      description: 'Number of pages; null when the service sends none.',
    }),
    pageSizes: t.expose('pageSizes', {
      type: [PageSizeType],
      nullable: false,
      description: 'Size of each page; empty when the service sends none.',
    }),
    textBoxes: t.field({
      type: [TextBoxType],
      nullable: false,
      description: 'Text boxes recognised on all pages, or on one page.',
      args: { page: t.arg.int({ description: 'Zero-based page; null for all pages.' }) },
      resolve: ({ textBoxes }, { page }) => {
        if (page === undefined || page === null) return textBoxes;
        return boxesByPage(textBoxes).get(page) ?? [];
      },
    }),
  }),
});

const ScanResultType = builder.objectRef<ScanResult>('ScanResult').implement({
  description: 'A scanned identity card. Its document stays in the queue.',
  fields: (t) => ({
    id: t.field({
      ...entityIdField('ScanResult', 'documentId'),
      resolve: ({ documentId, unknownId }) =>
        entityId('ScanResult', unknownId === undefined ? documentId : `unknown-${unknownId}`),
    }),
    documentId: t.exposeID('documentId', {
      nullable: false,
      description:
        'Identifier of the document in the queue; an input of `exportDocuments`. Empty, with the error UPSTREAM_BAD_RESPONSE ' +
        'in errors[], when the service sent the data of the card without it: the document may exist.',
    }),
    status: t.exposeString('status', {
      description:
        'Processing status as the service sends it; its documentation shows only COMPLETED. null when the service sends none.',
    }),
    card: t.expose('card', {
      type: IdentityCardType,
      nullable: false,
      description: 'The fields and texts recognised on the card.',
    }),
    warnings: t.field(reportedWarnings),
  }),
});

const ScanIdentityCardResult = writeResultOf(
  'ScanIdentityCardResult',
  ScanResultType,
  'The recognised card, or the problems of the input.',
);

const ScanIdentityCardInput = builder.inputType('ScanIdentityCardInput', {
  description: 'An identity card to scan, and the queue for its document.',
  fields: (t) => ({
    file: t.field({
      type: 'Upload',
      required: true,
      description:
        'The image or document, at most `gatewayInfo.limits.maxUploadBytes` bytes. The service decides which file types it supports.',
    }),
    queueId: t.id({
      required: true,
      description: 'Queue for the document: any text without control characters, sent as it is.',
    }),
    handwritten: t.boolean({
      required: true,
      defaultValue: false,
      description: 'Whether the card is handwritten.',
    }),
    idempotencyKey: t.string({ description: idempotencyKeyDescription }),
  }),
});

builder.mutationField('scanIdentityCard', (t) =>
  t.field({
    type: ScanIdentityCardResult,
    ...serviceField(
      scanEndpoint,
      'Scans an identity card and returns the recognised fields. Send the file in a multipart request; it is streamed to the service.',
    ),
    args: { input: t.arg({ type: ScanIdentityCardInput, required: true, description: 'The card.' }) },
    async resolve(_root, { input }, context, info) {
      try {
        return await scanOnce(input, context);
      } catch (error) {
        const partial = partialScan(error);
        context.addError(error, info);
        return partial;
      }
    },
  }),
);

function scanOnce(
  { file, queueId, handwritten, idempotencyKey }: typeof ScanIdentityCardInput.$inferInput,
  context: Context,
): Promise<ScanResult> {
  const { handwrittenFormat } = context.assumptions;
  const { filename, contentType } = file;
  const sent = { queueId, handwritten, filename, contentType };
  return runOnce(
    context,
    idempotencyKey,
    ScanResultType.name,
    () => inputWithFile(scanEndpoint.name, sent, file.take()),
    (input) =>
      scanIdentityCard(context.upstream, {
        queueId,
        handwritten: handwrittenFormat.replace('{value}', String(handwritten)),
        file: { filename, contentType, content: input?.content ?? file.take() },
      }),
  );
}

// An operation can ask for each of these a thousand times, and the service decides how many matches, fields and boxes there are.

const textOf = remembered(({ matches }: ExtractedField): string | null => {
  const texts = matches.flatMap(({ text }) => text ?? []);
  return texts.find((text) => text !== '') ?? texts[0] ?? null;
});

const fieldsByKey = remembered(
  (fields: readonly ExtractedField[]) => new Map(fields.map((field) => [field.key, field])),
);

const boxesByPage = remembered((boxes: readonly TextBox[]) => Map.groupBy(boxes, ({ page }) => page));
