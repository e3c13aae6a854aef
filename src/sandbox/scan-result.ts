/** The recognition result of a card: its texts with their boxes, and the seven fields. */
import type { Card } from './cards.ts';
import type { JsonObject } from './http.ts';

/** Left, top, right, bottom, two centre coordinates, the text twice. */
type Box = readonly [number, number, number, number, number, number, string, string];

type PrintedField = readonly [
  member: string,
  uiName: string,
  uiType: 'Date' | 'Text',
  /** null: the value is printed without a label. */
  label: string | null,
  /** undefined: the field is not on the card. */
  text: string | undefined,
  page: number,
];

/** `card` null: nothing was found on the document. */
export function scanResult(card: Card | null): JsonObject {
  const printer = createPrinter();
  if (card) printer.print(card.nricNumber.startsWith('S') ? 'REPUBLIC OF SINGAPORE' : 'SINGAPORE', 0);
  const data: Record<string, unknown> = {};
  for (const [member, uiName, uiType, label, text, page] of printedFields(card)) {
    const keyword = text === undefined || label === null ? null : printer.print(label, page);
    data[member] = {
      UICategory: 'Basic Information',
      UIName: uiName,
      UIType: uiType,
      matches: [
        text === undefined
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
  return [
    ['DOB', 'Date of Birth', 'Date', 'Date of birth', card?.dateOfBirth, 0],
    // These cards do not expire, so this field is never found.
    ['ExpiryDate', 'Expiry Date', 'Date', null, undefined, 0],
    ['Gender', 'Gender', 'Text', 'Sex', card?.gender, 0],
    ['IssueDate', 'Issue Date', 'Date', 'Date of issue', card?.issueDate, back],
    ['Name', 'Name', 'Text', 'Name', card?.name, 0],
    ['Nationality', 'Nationality', 'Text', 'Nationality', card?.nationality, 0],
    ['NricNumber', 'NRIC Number', 'Text', numberLabel, card?.nricNumber, 0],
  ];
}

function createPrinter() {
  const printed: { readonly box: Box; readonly page: number }[] = [];
  return {
    printed,
    /** Prints the text on the page's next line and returns its box. */
    print(text: string, page: number): Box {
      const line = printed.filter((each) => each.page === page).length;
      const [left, top] = [40, 36 + line * 38];
      const [right, bottom] = [left + text.length * 13, top + 29];
      const box: Box = [left, top, right, bottom, (left + right) / 2, (top + bottom) / 2, text, text];
      printed.push({ box, page });
      return box;
    },
  };
}
