/** The service's responses in the workloads. They depend on the id only, so that each run gets the same bytes. */
import { columns } from '../../src/features/document-export/documented-columns.ts';

export const firstDocumentId = 100_000;
export const documentCount = 10_000;

/** docs/service.md, "Mexico validation status": two of three are valid. */
export function mexicoRecord(id: number): object {
  const isValid = id % 3 !== 0;
  const reason = 'El CFDI fue cancelado ante la autoridad; el comprobante ya no está vigente.';
  const pass = { result: 'PASS', detail: null };
  return {
    documentId: String(id),
    uuid: `5F1C0A3E-7B42-4D1A-9C66-${id.toString(16).toUpperCase().padStart(12, '0')}`,
    validation_result: isValid ? 'VALID' : 'INVALID',
    validatedAt: new Date(Date.UTC(2026, 1, 1) + id * 1_000).toISOString(),
    invalid_reason: isValid ? null : reason,
    steps: {
      schema: pass,
      authorityStatus: isValid ? pass : { result: 'FAIL', detail: reason },
      rfc: pass,
    },
  };
}

/** docs/service.md, "Create a group". */
export function groupAnswer(name: string | null): object {
  return {
    createGroup: { createdAt: 1_767_225_600_123, id: 301, name, queueCount: 0, queues: [], uid: 4711 },
  };
}

type Box = readonly [number, number, number, number, number, number, string, string];

function box(line: number, text: string): Box {
  const [left, top] = [40 + (line % 3) * 320, 36 + Math.floor(line / 3) * 38];
  const [right, bottom] = [left + text.length * 13, top + 29];
  return [left, top, right, bottom, (left + right) / 2, (top + bottom) / 2, text, text];
}

export const textBoxCount = 300;

/** docs/service.md, "Scan an identity card": six fields found, one not, 300 text boxes. */
export function scanAnswer(): object {
  const field = (uiName: string, uiType: string, text: string | null, line: number) => ({
    UICategory: 'Basic Information',
    UIName: uiName,
    UIType: uiType,
    matches: [
      text === null
        ? { keyword: null, match: null, page: null, value: null }
        : { keyword: box(line, uiName), match: text, matchmulti: null, page: 0, value: box(line + 1, text) },
    ],
  });
  return {
    scanDocuments: {
      data: {
        DOB: field('Date of Birth', 'Date', '17-03-1951', 0),
        ExpiryDate: field('Expiry Date', 'Date', null, 2),
        Gender: field('Gender', 'Text', 'M', 4),
        IssueDate: field('Issue Date', 'Date', '02-05-2015', 6),
        Name: field('Name', 'Text', 'TAN WEI MING', 8),
        Nationality: field('Nationality', 'Text', 'SINGAPORE CITIZEN', 10),
        NricNumber: field('NRIC Number', 'Text', 'S0000001I', 12),
        DocSize: [[1012, 638]],
        SmallBoxes: Array.from({ length: textBoxCount }, (_, line) => ({
          box: box(line, `LINE ${line} OF THE CARD`),
          page: 0,
        })),
        num_pages: 1,
      },
      docId: 5001,
      status: 'COMPLETED',
    },
  };
}

export const exportRowCount = 500;

/** docs/service.md, "Export documents": about half of the cells are empty, some contain quotes, commas and line breaks. */
export function exportAnswer(): object {
  const row = (line: number) =>
    columns.map(({ header: column }, index) => {
      if (column === 'File Name') return `scan-${line}.png`;
      if (column === 'Address') return `7 DEMO CRESCENT, #11-${line}\nSINGAPORE 000002`;
      if (column === 'Vendor Name') return `Vendor "${line}" & Sons, Ltd`;
      return (index + line) % 2 === 0 ? `${column} ${line}` : '';
    });
  const quoted = (value: string) => (value === '' ? '' : `"${value.replaceAll('"', '""')}"`);
  const header = columns.map((column) => column.header);
  const rows = [header, ...Array.from({ length: exportRowCount }, (_, line) => row(line))];
  return {
    exportDocumentByDocIds: {
      data: rows.map((cells) => cells.map(quoted).join(',')).join('\n'),
      message: 'Downloaded document successfully.',
    },
  };
}
