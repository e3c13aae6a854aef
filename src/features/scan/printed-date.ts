import { daysInMonth } from '../../tools/calendar.ts';

/** The first three letters of English and Malay month names, with the number of the month. */
const months: Readonly<Record<string, number>> = {
  jan: 1,
  feb: 2,
  mar: 3,
  mac: 3,
  apr: 4,
  may: 5,
  mei: 5,
  jun: 6,
  jul: 7,
  aug: 8,
  ogo: 8,
  sep: 9,
  oct: 10,
  okt: 10,
  nov: 11,
  dec: 12,
  dis: 12,
};

const names =
  'jan(?:uary|uari)?|feb(?:ruary|ruari)?|mar(?:ch)?|mac|apr(?:il)?|may|mei|june?|jun|july|julai|jul|aug(?:ust)?|ogos|ogo|sep(?:t(?:ember)?)?|oct(?:ober)?|okt(?:ober)?|nov(?:ember)?|dec(?:ember)?|dis(?:ember)?';

const forms = [
  /^(?<day>\d{1,2})([-/.])(?<month>\d{1,2})\2(?<year>\d{4})$/,
  /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})$/,
  new RegExp(`^(?<day>\\d{1,2})[ -](?<name>${names})\\.?[ -](?<year>\\d{4})$`, 'i'),
];

/**
 * Parses a date as printed on a card and returns it in ISO 8601. Returns null when the text is not certainly a date, is an
 * impossible date or has a year of two digits (docs/service.md, "Assumptions"). The day is first (`09-04-2031`,
 * `09/04/2031`, `09.04.2031`, `09 APR 2031`) or the year (`2031-04-09`); day and month may have one digit.
 */
export function readPrintedDate(text: string): string | null {
  const trimmed = text.trim();
  for (const form of forms) {
    const parts = form.exec(trimmed)?.groups;
    if (parts) return isoDate(Number(parts.year), monthOf(parts), Number(parts.day));
  }
  return null;
}

function monthOf({ month, name = '' }: Record<string, string | undefined>): number {
  return month === undefined ? (months[name.slice(0, 3).toLowerCase()] ?? 0) : Number(month);
}

function isoDate(year: number, month: number, day: number): string | null {
  if (year < 1 || day < 1 || day > daysInMonth(year, month)) return null;
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
