import { newKey } from '@folio/client';
import Papa from 'papaparse';
import type { ImportMalaysiaInvoiceInput, MalaysiaTaxType } from '../graphql/graphql.ts';
import { t } from '../language/language.ts';
import type { Text } from '../language/text.ts';
import { localError, type Problem } from '../shared/problem.ts';
import {
  docTypes,
  emptyParty,
  type InvoiceDraft,
  inputOf,
  isAmount,
  type PartyDraft,
  partyFields,
  taxTypes,
} from './draft.ts';
import { words } from './words.ts';

/** A row of the file: an invoice with one line. It keeps its idempotency key until another file is chosen. */
export interface BatchRow {
  /** Line number in the file; the header is line 1. */
  readonly number: number;
  readonly draft: InvoiceDraft;
  /** Problems that prevent the row from being sent. */
  readonly problems: readonly Problem[];
  readonly idempotencyKey: string;
}

export interface Batch {
  readonly rows: readonly BatchRow[];
  /** Columns of the file that are ignored. */
  readonly unusedColumns: readonly string[];
}

const ownColumns = [
  'docType',
  'docNumber',
  'originalInvoiceCodeNumber',
  'amountExclTax',
  'taxType',
  'taxAmount',
];

export const batchColumns: readonly string[] = [
  ...ownColumns,
  ...partyFields.map((field) => `supplier.${field}`),
  ...partyFields.map((field) => `buyer.${field}`),
];

type Cells = Readonly<Record<string, string | undefined>>;

export function readBatch(csv: string): Batch {
  const { data, meta } = Papa.parse<Cells>(csv, {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: (name) => name.trim(),
  });
  return {
    rows: data.map((cells, index) => readRow(cells, index + 2)),
    unusedColumns: (meta.fields ?? []).filter((name) => !batchColumns.includes(name)),
  };
}

/** The input of the import of a row. */
export function importOf({ draft, idempotencyKey }: BatchRow, queueId: string): ImportMalaysiaInvoiceInput {
  return { queueId, invoice: inputOf(draft), idempotencyKey };
}

function readRow(cells: Cells, number: number): BatchRow {
  const cell = (column: string) => cells[column]?.trim() ?? '';
  const docType = known(docTypes, cell('docType'));
  const taxType = known(taxTypes, cell('taxType'));
  const hasTax = cell('taxType') !== '' || cell('taxAmount') !== '';
  const problems = [
    ...problemIf(docType === undefined, 'docType', words.notADocType),
    ...problemIf(!isAmount(cell('amountExclTax')), 'amountExclTax', words.notDecimal),
    ...problemIf(hasTax && taxType === undefined, 'taxType', words.notATaxType),
    ...problemIf(hasTax && !isAmount(cell('taxAmount')), 'taxAmount', words.notDecimal),
  ];
  const taxes = hasTax ? [{ id: 'tax', type: taxType ?? defaultTaxType, amount: cell('taxAmount') }] : [];
  const draft: InvoiceDraft = {
    docType: docType ?? 'INVOICE',
    docNumber: cell('docNumber'),
    originalNumber: cell('originalInvoiceCodeNumber'),
    supplier: party('supplier', cell),
    buyer: party('buyer', cell),
    lines: [{ id: 'line', amountExclTax: cell('amountExclTax'), taxes }],
  };
  return { number, draft, problems, idempotencyKey: newKey() };
}

/** Placeholder in a row with a problem, which is not sent. */
const defaultTaxType: MalaysiaTaxType = 'SALES_TAX';

function party(role: string, cell: (column: string) => string): PartyDraft {
  const given = partyFields.map((field) => [field, cell(`${role}.${field}`)]);
  return { ...emptyParty, ...Object.fromEntries(given) };
}

function problemIf(isWrong: boolean, column: string, text: Text): Problem[] {
  return isWrong ? [localError(`row-${column}`, [column], t(text, { column }))] : [];
}

/** Finds the value for a word: `credit note`, `credit_note` and `CREDIT_NOTE` are the same. */
function known<Value extends string>(options: readonly Value[], text: string): Value | undefined {
  const word = text.toUpperCase().replaceAll(/[\s-]+/g, '_');
  return options.find((value) => value === word);
}
