/** The mutations that import one invoice, or several. */
import { GatewayError, InvalidInputError } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { entityIdField } from '../../graphql/entity-id.ts';
import { idempotencyKeyDescription, inputOf, runOnce } from '../../graphql/idempotency-key.ts';
import { type Checked, inputWarnings, withWarnings } from '../../graphql/invalid-input.ts';
import { boundedList } from '../../graphql/list-length.ts';
import { writeResultOf } from '../../graphql/mutation-result.ts';
import { serviceField, type UpstreamCallsExtension } from '../../graphql/service-field.ts';
import { type InputProblem, problemBytes } from '../../input-problems.ts';
import { checkInvoice } from './check-invoice.ts';
import { type CheckOriginal, runBatch } from './import-batch.ts';
import { boundedInvoice, InvoiceInput, MalaysiaDocType } from './invoice.schema.ts';
import { toWire } from './invoice.ts';
import {
  importEndpoint,
  importInvoice,
  type MalaysiaImport,
  type MalaysiaStatus,
  statusEndpoint,
} from './malaysia.api.ts';
import { GovPortalSubmissionType, loadStatus, MalaysiaStatusType } from './status.schema.ts';
import { unconfirmedStatus } from './watched-status.ts';

const ImportInput = builder.inputType('ImportMalaysiaInvoiceInput', {
  description: 'An invoice, and the queue to import it into.',
  fields: (t) => ({
    queueId: t.id({
      required: true,
      description:
        'Queue in which the document is created: sent as written, percent-encoded in the path. 1 to 128 characters, none of them ' +
        '`/`, `\\`, `?`, `#` or a control character, and not `.` or `..`.',
    }),
    invoice: t.field({ type: InvoiceInput, required: true, description: 'The invoice.' }),
    idempotencyKey: t.string({ description: idempotencyKeyDescription }),
  }),
});

type CheckedImport = MalaysiaImport & Checked;

const ImportType = builder.objectRef<CheckedImport>('MalaysiaImport').implement({
  description:
    'An accepted import. The service processes it afterwards: subscribe to `malaysiaStatusChanged` to follow it.',
  fields: (t) => ({
    id: t.field(entityIdField('MalaysiaImport', 'documentId')),
    requestId: t.exposeID('requestId', { description: 'The service’s trace id; null if it sends none.' }),
    queueId: t.exposeID('queueId', {
      nullable: false,
      description: 'Queue in which the document was created; the requested one when the service sends none.',
    }),
    documentId: t.exposeID('documentId', {
      nullable: false,
      description: 'Identifier of the created document. Pass it to `malaysiaStatusChanged`.',
    }),
    docType: t.expose('docType', {
      type: MalaysiaDocType,
      description:
        'The type that the service reports; null when that is another word, or none: see `rawDocType`.',
    }),
    rawDocType: t.exposeString('rawDocType', {
      description: 'The type in the service’s own words; null when it reports none.',
    }),
    docNumber: t.exposeString('docNumber', {
      description: 'The number that the service reports; null when it reports none.',
    }),
    message: t.exposeString('message', {
      nullable: false,
      description: 'The service’s message; empty if it sends none.',
    }),
    trackingUrl: t.exposeString('trackingUrl', {
      description:
        'A URL inside the service, for its support team; do not fetch it. Null if the service sends none.',
    }),
    govPortal: t.expose('govPortal', {
      type: GovPortalSubmissionType,
      description: 'The portal’s identifiers; null until the submission details exist.',
    }),
    warnings: t.field(inputWarnings),
    status: t.field({
      type: MalaysiaStatusType,
      description:
        `The current status: one more call to the service, \`${statusEndpoint.method} ${statusEndpoint.path}\`. ` +
        'QUEUED while the service does not know the document yet.',
      extensions: { calls: 1 } satisfies UpstreamCallsExtension,
      resolve: ({ documentId }, _args, context) => statusAfterImport(documentId, context),
    }),
  }),
});

const ImportResult = writeResultOf(
  'ImportMalaysiaInvoiceResult',
  ImportType,
  'The accepted import, or what to correct.',
);

builder.mutationFields((t) => ({
  importMalaysiaInvoice: t.field({
    type: ImportResult,
    ...serviceField(
      importEndpoint,
      'Imports an e-invoice. The service has accepted it when the mutation returns, and submits it to the tax portal later. Never sent twice: an error states whether ' +
        'it may have been carried out.',
    ),
    args: { input: t.arg({ type: ImportInput, required: true, description: 'The invoice.' }) },
    resolve: (_root, { input }, context) =>
      holdingProblems(context, (hold) => checkAndImport(input, context, hold)),
  }),
  importMalaysiaInvoices: t.field({
    type: [ImportResult],
    nullable: { list: true, items: true },
    ...serviceField(
      importEndpoint,
      'Imports at most 100 invoices, each with its own outcome, in the order given; one that fails does not affect the others, except the notes ' +
        'that refer to it: a note is sent after its original of the same batch, and not if that was certainly not imported ' +
        '(`not-sent-original-missing`, or the error of an original that can be sent again). All others are sent at the same time. A value that ' +
        'the schema refuses (an invalid Decimal or enum value in one of them) fails the whole operation with BAD_USER_INPUT, and nothing is ' +
        'sent: check each with checkMalaysiaInvoiceDraft first.',
      'input',
    ),
    args: {
      input: t.arg({ type: [ImportInput], required: true, description: 'The invoices, at most 100.' }),
    },
    async resolve(_root, { input }, context) {
      const outcomes = await holdingProblems(context, (hold) =>
        runBatch(boundedList(input, 'input'), (one, checkOriginal) =>
          checkAndImport(one, context, hold, checkOriginal),
        ),
      );
      // An Error in the list becomes this item's error, or its InvalidInput.
      return outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason));
    },
  }),
}));

/** Returns a function that releases. */
type HoldProblems = (problems: readonly InputProblem[]) => () => void;

/** Counts the problems of imports at least until the last of them has ended: also those of an input that was refused meanwhile. */
async function holdingProblems<T>(context: Context, run: (hold: HoldProblems) => Promise<T>): Promise<T> {
  const releases: (() => void)[] = [];
  try {
    return await run(({ length }) => {
      const release = context.holdForWrite(length * problemBytes);
      releases.push(release);
      return release;
    });
  } finally {
    for (const release of releases) context.onEnd(release);
  }
}

async function checkAndImport(
  { queueId, invoice, idempotencyKey }: typeof ImportInput.$inferInput,
  context: Context,
  hold: HoldProblems,
  checkOriginal?: CheckOriginal,
): Promise<CheckedImport> {
  const problems = await context.doPart(() => checkInvoice(boundedInvoice(invoice)));
  const release = hold(problems);
  const { ERROR: errors, WARNING: warnings = [] } = Object.groupBy(problems, ({ severity }) => severity);
  const input = () => inputOf(importEndpoint.name, [queueId, toWire(invoice)]);
  // Awaited before the key is held: an original with the key of its note would wait for the note.
  const notSent = errors
    ? new InvalidInputError('The invoice breaks rules of the import. Nothing was sent.', errors)
    : await checkOriginal?.();
  return await withWarnings(warnings, () =>
    runOnce(context, idempotencyKey, ImportType.name, input, async () => {
      // Not before: what was imported under its key has its outcome, whatever the rules or its original say now.
      if (notSent) throw notSent;
      // Together with its body: one piece may be more than the part of an owner who holds nothing.
      release();
      return await importInvoice(context.upstream, queueId, invoice, problems.length * problemBytes);
    }),
  );
}

/** Right after an import the part of the service that returns statuses may not know the document yet. */
async function statusAfterImport(documentId: string, context: Context): Promise<MalaysiaStatus> {
  try {
    return await loadStatus(documentId, context);
  } catch (error) {
    if (!(error instanceof GatewayError && error.code === 'NOT_FOUND')) throw error;
    return unconfirmedStatus(documentId, { state: 'QUEUED' });
  }
}
