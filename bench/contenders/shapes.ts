/** The service's responses in the names of the schema: LIMIT writes them, and the peers' resolvers return them. */

export interface WireValidation {
  readonly documentId: string;
  readonly uuid: string;
  readonly validation_result: string;
  readonly validatedAt: string;
  readonly invalid_reason: string | null;
  readonly steps: Readonly<Record<string, { readonly result: string; readonly detail: string | null }>>;
}

const stepNames = [
  ['schema', 'SCHEMA'],
  ['authorityStatus', 'AUTHORITY_STATUS'],
  ['rfc', 'RFC'],
] as const;

export function validationOf(wire: WireValidation) {
  const steps = [];
  for (const [key, name] of stepNames) {
    const step = wire.steps[key];
    if (step) steps.push({ name, key, result: step.result, rawResult: step.result, detail: step.detail });
  }
  return {
    documentId: wire.documentId,
    uuid: wire.uuid,
    result: wire.validation_result,
    rawResult: wire.validation_result,
    validatedAt: wire.validatedAt,
    invalidReason: wire.invalid_reason,
    steps,
  };
}

export interface WireGroup {
  readonly createGroup: {
    readonly id: number;
    readonly name: string | null;
    readonly createdAt: number;
    readonly uid: number;
    readonly queueCount: number;
    readonly queues: readonly object[];
  };
}

export function groupOf({ createGroup: wire }: WireGroup) {
  return {
    __typename: 'Group',
    id: String(wire.id),
    name: wire.name,
    createdAt: new Date(wire.createdAt).toISOString(),
    ownerId: String(wire.uid),
    queueCount: wire.queueCount,
    queues: wire.queues,
  };
}

type WireBox = readonly [number, number, number, number, number, number, string, string];

interface WireField {
  readonly UICategory: string;
  readonly UIName: string;
  readonly UIType: string;
  readonly matches: readonly {
    readonly keyword: WireBox | null;
    readonly match: string | null;
    readonly page: number | null;
    readonly value: WireBox | null;
  }[];
}

export interface WireScan {
  readonly scanDocuments: {
    readonly docId: number;
    readonly status: string;
    readonly data: Readonly<Record<string, WireField>> & {
      readonly DocSize: readonly (readonly [number, number])[];
      readonly SmallBoxes: readonly { readonly box: WireBox; readonly page: number }[];
      readonly num_pages: number;
    };
  };
}

const fieldKeys = ['DOB', 'ExpiryDate', 'Gender', 'IssueDate', 'Name', 'Nationality', 'NricNumber'];

export function scanOf({ scanDocuments: { docId, status, data } }: WireScan) {
  const fields = Object.fromEntries(fieldKeys.map((key) => [key, fieldOf(key, data[key] as WireField)]));
  return {
    __typename: 'ScanResult',
    documentId: String(docId),
    status,
    card: {
      name: fields['Name'],
      nricNumber: fields['NricNumber'],
      dateOfBirth: fields['DOB'],
      gender: fields['Gender'],
      nationality: fields['Nationality'],
      issueDate: fields['IssueDate'],
      expiryDate: fields['ExpiryDate'],
      fields: fieldKeys.map((key) => ({ key, text: fields[key]?.text })),
      pageCount: data.num_pages,
      pageSizes: data.DocSize.map(([first, second]) => ({ first, second })),
      textBoxes: data.SmallBoxes.map(({ box, page }) => boxOf(box, page)),
    },
  };
}

function fieldOf(key: string, wire: WireField) {
  const matches = wire.matches
    .filter(({ match }) => match !== null)
    .map(({ keyword, match, page, value }) => ({
      text: match,
      page,
      keywordBox: keyword && boxOf(keyword, page),
      valueBox: value && boxOf(value, page),
    }));
  const text = matches[0]?.text ?? null;
  return {
    key,
    label: wire.UIName,
    category: wire.UICategory,
    type: wire.UIType,
    text,
    date: wire.UIType === 'Date' ? dateOf(text) : null,
    matches,
  };
}

function dateOf(text: string | null): string | null {
  const [, day, month, year] = /^(\d\d)-(\d\d)-(\d{4})$/.exec(text ?? '') ?? [];
  return year ? `${year}-${month}-${day}` : null;
}

function boxOf([left, top, right, bottom, centerX, centerY, text]: WireBox, page: number | null) {
  return { left, top, right, bottom, centerX, centerY, text, page };
}

export interface WireExport {
  readonly exportDocumentByDocIds: { readonly data: string; readonly message: string };
}
