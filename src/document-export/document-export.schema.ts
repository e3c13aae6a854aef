import { GatewayError, InvalidInputError } from '../errors.ts';
import { boundedList, maxIdListLength } from '../graphql/bounded-list.ts';
import { builder } from '../graphql/builder.ts';
import type { UpstreamCallsExtension } from '../graphql/upstream-calls.ts';
import '../graphql/invalid-input.ts';
import { type ColumnField, columns } from './columns.ts';
import {
  type ExportRow,
  type ExportTable,
  parseExport,
  TooManyRowsError,
  UnreadableCsvError,
} from './csv.ts';
import { type DocumentExport, exportDocuments, exportEndpoint } from './document-export.api.ts';

/** The documented columns as properties, which is several times faster than to look each up by its header. */
type ExportedDocument = { readonly row: ExportRow } & { readonly [Field in ColumnField]: string | null };

function exportedDocument(row: ExportRow): ExportedDocument {
  const cells: Partial<Record<ColumnField, string | null>> = {};
  for (const { field, header } of columns) cells[field] = row.value(header);
  return Object.assign(cells as Record<ColumnField, string | null>, { row });
}

const ExportedDocumentType = builder.objectRef<ExportedDocument>('ExportedDocument').implement({
  description:
    'One row: a field for each of the 37 documented columns, null where the cell is empty; `value` reaches any other column.',
  fields: (t) => ({
    ...Object.fromEntries(
      columns.map(({ field, header }) => [
        field,
        t.exposeString(field, { description: `The column \`${header}\`; null when the cell is empty.` }),
      ]),
    ),
    value: t.string({
      description: 'The cell of any column by its header; null when it is empty or there is no such column.',
      args: { column: t.arg.string({ required: true, description: 'A header, as in `columns`.' }) },
      resolve: ({ row }, { column }) => row.value(column),
    }),
  }),
});

/** What was exported, as its fields read it. */
class ExportResult {
  readonly message: string;
  readonly csv: string;
  #table: ExportTable | GatewayError | undefined;

  constructor({ message, csv }: DocumentExport) {
    this.message = message;
    this.csv = csv;
  }

  /** The text is parsed when a field needs its table, and once. Throws when it cannot be. */
  get table(): ExportTable {
    this.#table ??= tableOf(this.csv);
    if (this.#table instanceof GatewayError) throw this.#table;
    return this.#table;
  }
}

const nullWhenUnreadable =
  'null, with an error that says why, when the text cannot be parsed or has more than 10,000 rows; `csv` is there all the same.';

const ExportResultType = builder.objectRef<ExportResult>('ExportResult').implement({
  description: 'The data of the exported documents.',
  fields: (t) => ({
    message: t.exposeString('message', {
      nullable: false,
      description: 'The service’s message; empty when it sends none.',
    }),
    csv: t.exposeString('csv', {
      nullable: false,
      description: 'The service’s delimited text, byte for byte. Cells are not made safe for spreadsheets.',
    }),
    columns: t.stringList({
      nullable: { list: true, items: false },
      description: `The header row, in its order. ${nullWhenUnreadable}`,
      resolve: ({ table }) => table.columns,
    }),
    rowCount: t.int({
      description: `Number of rows, the header not counted. ${nullWhenUnreadable}`,
      resolve: ({ table }) => table.rows.length,
    }),
    rows: t.field({
      type: [ExportedDocumentType],
      nullable: { list: true, items: false },
      description: `One row for each document, in the service’s order, which is not stated. ${nullWhenUnreadable}`,
      resolve: ({ table }) => table.rows.map(exportedDocument),
    }),
  }),
});

const ExportDocumentsResult = builder.errorUnion('ExportDocumentsResult', {
  description: 'The exported data, or what to correct.',
  types: [ExportResultType, InvalidInputError],
  resolveType: () => ExportResultType,
});

const ExportDocumentsInput = builder.inputType('ExportDocumentsInput', {
  description: 'Which documents to export.',
  fields: (t) => ({
    documentIds: t.idList({
      description:
        'Identifiers: 1 to 19 digits, sent as JSON integers, so without leading zeros. Absent or null: no member is sent, and the service decides; empty is sent as it is; ' +
        'at most 1,000; duplicates are sent as given.',
    }),
  }),
});

builder.mutationField('exportDocuments', (t) =>
  t.field({
    type: ExportDocumentsResult,
    description:
      'Exports documents as delimited text; only those in the tabs COMPLETED, EXPORT_FAILED and EXPORTED can be. ' +
      'REST: `POST /v1/documents/export`. Credentials: `x-api-key` and `Authorization`.',
    extensions: { requiredCredentials: exportEndpoint.requiredCredentials } satisfies UpstreamCallsExtension,
    args: { input: t.arg({ type: ExportDocumentsInput, required: true, description: 'Which documents.' }) },
    async resolve(_root, { input }, { upstream }) {
      const ids = input.documentIds && boundedList(input.documentIds, 'documentIds', maxIdListLength);
      return new ExportResult(await exportDocuments(upstream, ids ?? undefined));
    },
  }),
);

function tableOf(csv: string): ExportTable | GatewayError {
  try {
    return parseExport(csv);
  } catch (cause) {
    const isTooLarge = cause instanceof TooManyRowsError;
    if (!(isTooLarge || cause instanceof UnreadableCsvError)) throw cause;
    return new GatewayError({
      code: isTooLarge ? 'OPERATION_TOO_EXPENSIVE' : 'UPSTREAM_BAD_RESPONSE',
      message: `The documents were exported, but the text cannot be parsed: ${cause.message}. \`csv\` holds it.`,
      sideEffect: 'APPLIED',
      upstream: { operation: exportEndpoint.operation, status: 200 },
      cause,
    });
  }
}
