import type { Document, ScannedDocument } from '../documents.ts';
import { type Endpoint, readNotedJson, type SandboxParts } from '../endpoint.ts';
import { HttpError, json } from '../http.ts';

/** In the order of docs/service.md, "Export documents". */
const columns = [
  ...['Name', 'Engine Number', 'Brand', 'Color', 'Plate Number', 'Registration Date', 'Expiry Date'],
  ...['Expiry Year', 'Expiry Month', 'Address', 'Model', 'Frame Number', 'ID Number'],
  ...['First Place of Issue', 'Second Place of Issue', 'File Name', 'Invoice Number', 'PO Number'],
  ...['Account Number', 'Account Name', 'Swift Code', 'IBAN', 'Email', 'URL', 'Total', 'Subtotal'],
  ...['Tax Total', 'Currency', 'Freight', 'Billing Address', 'Shipping Address', 'Vendor Name'],
  ...['Vendor Address', 'Other Address', 'Invoice Date', 'Payment Date', 'Other Date'],
];

/** `POST /v1/documents/export`. Only scanned documents are in a tab that can be exported; imported e-invoices are not. */
function exportEndpoint({ documents }: SandboxParts): Endpoint {
  return {
    method: 'POST',
    path: /^\/v1\/documents\/export$/,
    requiredCredentials: ['apiKey', 'authorization'],
    inputs: {
      'export: `documentIds`': {
        'one that no scan with the same API key returned': '400, `InvalidInput`',
        'none, or null': 'all scans with the same API key',
      },
    },
    async handle(call) {
      const { docIds } = await readNotedJson(call);
      const all = documents.of(call.tenant).filter(isExportable);
      const chosen = docIds === undefined ? all : choose(all, docIds);
      const rows = [columns, ...chosen.map(row)];
      return json(200, {
        exportDocumentByDocIds: {
          data: rows.map((values) => values.map(quoted).join(',')).join('\r\n'),
          message: 'Downloaded document successfully.',
        },
      });
    },
  };
}

function isExportable(document: Document): document is ScannedDocument {
  return document.kind === 'scan';
}

/** Each document once, in the order of ids: the service states no order of rows. */
function choose(exportable: readonly ScannedDocument[], docIds: unknown): ScannedDocument[] {
  if (!Array.isArray(docIds) || !docIds.every(Number.isInteger)) {
    throw new HttpError(400, 'docIds must be an array of integers.');
  }
  const asked = new Set<unknown>(docIds);
  const chosen = exportable.filter(({ id }) => asked.has(id));
  if (chosen.length < asked.size) {
    throw new HttpError(
      400,
      'Only documents in the tabs COMPLETED, EXPORT_FAILED, EXPORTED can be exported.',
    );
  }
  return chosen;
}

function row({ card, fileName }: ScannedDocument): string[] {
  const values: Readonly<Record<string, string | undefined>> = {
    Name: card?.name,
    Address: card?.address.join('\n'),
    'ID Number': card?.nricNumber,
    'File Name': fileName,
    'Other Date': card?.issueDate,
  };
  return columns.map((column) => values[column] ?? '');
}

/** A CSV value (RFC 4180), quoted unless it is empty. */
function quoted(value: string): string {
  return value === '' ? '' : `"${value.replaceAll('"', '""')}"`;
}

export { exportEndpoint as export };
