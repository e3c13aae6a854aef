/** The mutation that exports documents, and the table that the exported text is read as. */
import { GatewayError } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { type Context, createOperationCache } from '../../graphql/context.ts';
import { reportedWarnings } from '../../graphql/invalid-input.ts';
import { boundedList, maxIdListLength } from '../../graphql/list-length.ts';
import { mutationResultOf } from '../../graphql/mutation-result.ts';
import { serviceField, type UpstreamCallsExtension } from '../../graphql/service-field.ts';
import { createProblem, type InputProblem as ProblemOfInput } from '../../input-problems.ts';
import { type LocalizedText, text } from '../../texts/texts.ts';
import { ownTurn, ownTurnBytes } from '../../tools/event-loop-turns.ts';
import { objectTemplate } from '../../tools/object-template.ts';
import { remembered } from '../../tools/remembered.ts';
import { type DocumentExport, exportDocuments, exportEndpoint } from './document-export.api.ts';
import { type ColumnField, columns } from './documented-columns.ts';
import { cellAt, type ExportRow, ExportTable, maxRows, ParseAllowance } from './export-table.ts';

/** A row with the documented columns as properties: several times faster than a look-up by header for each field. */
type ExportedDocument = { readonly row: ExportRow; readonly table: ExportTable } & {
  readonly [Field in ColumnField]: string | null;
};

const documentTemplate = objectTemplate([...columns.map(({ field }) => field), 'row', 'table']);

/** Those of a table that were asked for, by the index of their row: an operation can ask for each of them a hundred times. */
const documentsOf = remembered((_table: ExportTable): ExportedDocument[] => []);

function exportedDocuments(table: ExportTable, from: number, to: number): ExportedDocument[] {
  const documents = documentsOf(table);
  const places = columns
    .map(({ field, header }) => [field, table.indexOf(header)] as const)
    .filter(([, index]) => index >= 0);
  const documentOf = (row: ExportRow) => {
    const document: Record<string, unknown> = { ...documentTemplate };
    document['row'] = row;
    document['table'] = table;
    for (const [field, index] of places) document[field] = cellAt(row, index);
    return document as ExportedDocument;
  };
  return table.rows.slice(from, to).map((row, index) => (documents[from + index] ??= documentOf(row)));
}

const ExportedDocumentType = builder.objectRef<ExportedDocument>('ExportedDocument').implement({
  description:
    'A row of the export. Each of the 37 documented columns is a field; `value` returns any other column.',
  fields: (t) => ({
    ...Object.fromEntries(
      columns.map(({ field, header }) => [
        field,
        t.exposeString(field, {
          description: `The column \`${header}\`; null when empty or not in \`columns\`.`,
        }),
      ]),
    ),
    value: t.string({
      description:
        'Cell of a column, by its header; null when the cell is empty or the column does not exist. Of equal headers the first counts.',
      args: {
        column: t.arg.string({ required: true, description: 'Header of the column, as in `columns`.' }),
      },
      resolve: ({ row, table }, { column }) => table.value(row, column),
    }),
  }),
});

const parseAllowance = createOperationCache(({ caller }) => new ParseAllowance(caller.requestId));

/** The exported text. It is parsed when a field first needs its table. */
interface ExportResult extends DocumentExport {
  readonly requestedIds: readonly string[];
  readonly allowance: ParseAllowance;
  readonly resultSize: Context['resultSize'];
}

const parsed = remembered(({ csv, allowance, resultSize }: ExportResult) => {
  const table = allowance.tableOf(csv);
  resultSize?.keep(2 * csv.length + (table instanceof ExportTable ? table.bytesOfCells(csv.length) : 0));
  return table;
});

/** Throws a GatewayError when the text is not valid CSV. */
function tableOf(result: ExportResult): ExportTable {
  const table = parsed(result);
  if (table instanceof GatewayError) throw table;
  return table;
}

/**
 * What the service reported, rows that are missing, and cells that only `csv` has. None of a text that cannot be parsed. Found
 * once: an operation can ask for them 30 times, and they depend on each cell.
 */
const warningsOf = remembered((result: ExportResult): readonly ProblemOfInput[] => {
  const { warnings, requestedIds } = result;
  const table = parsed(result);
  if (table instanceof GatewayError) return warnings;
  const rows = table.rows.length;
  const documents = new Set(requestedIds.map(BigInt)).size;
  const { cells, row } = table.cellsWithoutColumn;
  return [
    ...warnings,
    ...(rows < documents ? [warningOf(text('problem.fewer-rows', { rows, documents }))] : []),
    ...(cells > 0 ? [warningOf(text('problem.cells-without-column', { cells, row }))] : []),
  ];
});

const warningOf = (messageText: LocalizedText) =>
  createProblem('reported-by-service', 'WARNING', ['documentIds'], { messageText });

const nullWhenUnreadable =
  'null, with an error that states the reason, when the text is not valid CSV, or the exports of the operation have more than 10,000 rows, 10,000 columns or 4 Mi characters; `csv` has the text.';

const ExportResultType = builder.objectRef<ExportResult>('ExportResult').implement({
  description: 'The exported documents, as text and as a table.',
  fields: (t) => ({
    message: t.exposeString('message', {
      nullable: false,
      description: 'Message of the service; empty when it sends none.',
    }),
    csv: t.exposeString('csv', {
      nullable: false,
      description:
        'The delimited text exactly as the service sends it. Escape cells before you open it in a spreadsheet: they may contain formulas.',
    }),
    requestedCount: t.int({
      nullable: false,
      description: 'Number of ids that were sent. With fewer rows than different ids there is a warning.',
      resolve: ({ requestedIds }) => requestedIds.length,
    }),
    warnings: t.field({
      ...reportedWarnings,
      description:
        'What the service reported together with its result, rows that are missing, and cells that only `csv` has.',
      resolve: warningsOf,
    }),
    columns: t.stringList({
      description: `The header row. ${nullWhenUnreadable}`,
      resolve: (result) => tableOf(result).columns,
    }),
    rowCount: t.int({
      description: `Number of rows without the header. ${nullWhenUnreadable}`,
      resolve: (result) => tableOf(result).rows.length,
    }),
    rows: t.field({
      type: [ExportedDocumentType],
      extensions: { requestedBy: ['input', 'documentIds'] } satisfies UpstreamCallsExtension,
      description: `One row per document, in the order of the service, which its interface does not state. Take several pages in one operation, under aliases: each operation is another export. ${nullWhenUnreadable}`,
      args: {
        first: t.arg.int({ description: 'Most rows to return, at least 0; null for all.' }),
        skip: t.arg.int({ description: 'Rows to leave out before the first, at least 0; null for none.' }),
      },
      async resolve(result, { first, skip }) {
        const table = tableOf(result);
        // Neither is negative: the check of the cost refuses the operation before the call.
        const from = skip ?? 0;
        const to = from + (first ?? maxRows);
        // A large text was parsed in this turn: the result is built in another one.
        if (result.csv.length > ownTurnBytes) await ownTurn({ isNextStep: true });
        return exportedDocuments(table, from, to);
      },
    }),
  }),
});

const ExportDocumentsResult = mutationResultOf(
  'ExportDocumentsResult',
  ExportResultType,
  'The exported documents, or the problems of the input.',
);

const ExportDocumentsInput = builder.inputType('ExportDocumentsInput', {
  description: 'The documents to export.',
  fields: (t) => ({
    documentIds: t.idList({
      description:
        'Identifiers of at most 1,000 documents: 1 to 19 digits, of which leading zeros are not sent, since ids are JSON integers. Duplicates are sent. ' +
        'Absent or null: no ids are sent, and the service decides which documents to export. An empty list is sent as an empty list.',
    }),
  }),
});

builder.mutationField('exportDocuments', (t) =>
  t.field({
    type: ExportDocumentsResult,
    ...serviceField(
      exportEndpoint,
      'Exports documents as delimited text. Only documents in the tabs COMPLETED, EXPORT_FAILED and EXPORTED can be exported.',
    ),
    args: {
      input: t.arg({ type: ExportDocumentsInput, required: true, description: 'The documents to export.' }),
    },
    async resolve(_root, { input }, context) {
      const ids = input.documentIds && boundedList(input.documentIds, 'documentIds', maxIdListLength);
      const exported = await exportDocuments(context.upstream, ids ?? undefined);
      const { resultSize } = context;
      return { ...exported, requestedIds: ids ?? [], allowance: parseAllowance(context), resultSize };
    },
  }),
);
