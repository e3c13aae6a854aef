/** The recognition result of a card: its texts with their boxes, and the seven fields. */
import type { Card } from './cards.ts';
import type { JsonObject } from './http.ts';

/** Left, top, right, bottom, two centre coordinates, the text twice. */
type Box = readonly [number, number, number, number, number, number, string, string];

interface PrintedField {
  readonly member: string;
  readonly uiName: string;
  readonly uiType: 'Date' | 'Text';
  /** null: the value is printed without a label. */
  readonly label: string | null;
  /** null: the field is not on the card. */
  readonly text: string | null;
  readonly page: number;
}

/** `card` null: nothing was found on the document. */
export function scanResult(card: Card | null): JsonObject {
  const fields = printedFields(card);
  const printer = createPrinter();
  if (card) printer.print(card.nricNumber.startsWith('S') ? 'REPUBLIC OF SINGAPORE' : 'SINGAPORE', 0);
  const data: Record<string, unknown> = {};
  for (const { member, uiName, uiType, label, text, page } of fields) {
    const keyword = text === null || label === null ? null : printer.print(label, page);
    data[member] = {
      UICategory: 'Basic Information',
      UIName: uiName,
      UIType: uiType,
      matches: [
        text === null
          ? { keyword: null, match: null, page: null, value: null }
          : { keyword, match: text, matchmulti: null, page, value: printer.print(text, page) },
      ],
    };
  }
  const pages = card?.pages ?? 1;
  for (const line of card?.address ?? []) printer.print(line, pages - 1);
  return {
    ...data,
    DocSize: Array.from({ length: pages }, () => [1012, 638]),
    SmallBoxes: printer.printed,
    num_pages: pages,
  };
}

function printedFields(card: Card | null): PrintedField[] {
  const back = (card?.pages ?? 1) - 1;
  const numberLabel = card?.numberHasLabel === true ? 'IDENTITY CARD NO.' : null;
  const date = { uiType: 'Date', page: 0 } as const;
  const text = { uiType: 'Text', page: 0 } as const;
  return [
    {
      ...date,
      member: 'DOB',
      uiName: 'Date of Birth',
      label: 'Date of birth',
      text: card?.dateOfBirth ?? null,
    },
    // These cards do not expire, so this field is never found.
    { ...date, member: 'ExpiryDate', uiName: 'Expiry Date', label: null, text: null },
    { ...text, member: 'Gender', uiName: 'Gender', label: 'Sex', text: card?.gender ?? null },
    {
      ...date,
      member: 'IssueDate',
      uiName: 'Issue Date',
      label: 'Date of issue',
      text: card?.issueDate ?? null,
      page: back,
    },
    { ...text, member: 'Name', uiName: 'Name', label: 'Name', text: card?.name ?? null },
    {
      ...text,
      member: 'Nationality',
      uiName: 'Nationality',
      label: 'Nationality',
      text: card?.nationality ?? null,
    },
    {
      ...text,
      member: 'NricNumber',
      uiName: 'NRIC Number',
      label: numberLabel,
      text: card?.nricNumber ?? null,
    },
  ];
}

function createPrinter() {
  const printed: { readonly box: Box; readonly page: number }[] = [];
  const linesOnPage: [number, number] = [0, 0];
  return {
    printed,
    /** Prints the text on the page's next line and returns its box. */
    print(text: string, page: number): Box {
      const line = linesOnPage[page === 0 ? 0 : 1]++;
      const [left, top] = [40, 36 + line * 38];
      const [right, bottom] = [left + text.length * 13, top + 29];
      const box: Box = [left, top, right, bottom, (left + right) / 2, (top + bottom) / 2, text, text];
      printed.push({ box, page });
      return box;
    },
  };
}
