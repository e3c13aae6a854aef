/** Dates as identity cards show them, with months in English or Malay. */
import { daysInMonth } from '../../tools/calendar.ts';

/** The first three letters of the English and Malay names of each month, January first. */
const months = 'jan feb mar|mac apr may|mei jun jul aug|ogo sep oct|okt nov dec|dis'.split(' ');

const names =
  'jan(?:uary|uari)?|feb(?:ruary|ruari)?|mar(?:ch)?|mac|apr(?:il)?|may|mei|june?|jun|july|julai|jul|aug(?:ust)?|ogos|ogo|sep(?:t(?:ember)?)?|oct(?:ober)?|okt(?:ober)?|nov(?:ember)?|dec(?:ember)?|dis(?:ember)?';

const forms = [
  /^(?<day>\d{1,2})([-/.])(?<month>\d{1,2})\2(?<year>\d{4})$/,
  /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})$/,
  new RegExp(`^(?<day>\\d{1,2})[ -](?<name>${names})\\.?[ -](?<year>\\d{4})$`, 'i'),
];

/** Longest text of a date, in characters: an operation can read a field thousands of times, and the service sends any text. */
const maxLength = 100;

/**
 * Parses a date as printed on a card and returns it in ISO 8601. Returns null when the text is not certainly a date, has
 * more than 100 characters, is an impossible date or has a year of two digits (docs/service.md, "Assumptions"). The day is
 * first (`09-04-2031`, `09/04/2031`, `09.04.2031`, `09 APR 2031`) or the year (`2031-04-09`); day and month may have one
 * digit.
 */
export function readPrintedDate(text: string): string | null {
  if (text.length > maxLength) return null;
  const trimmed = text.trim();
  for (const form of forms) {
    const parts = form.exec(trimmed)?.groups;
    if (parts) return isoDate(Number(parts.year), monthOf(parts), Number(parts.day));
  }
  return null;
}

function monthOf({ month, name = '' }: Record<string, string | undefined>): number {
  if (month !== undefined) return Number(month);
  const letters = name.slice(0, 3).toLowerCase();
  return months.findIndex((names) => names.includes(letters)) + 1;
}

function isoDate(year: number, month: number, day: number): string | null {
  if (year < 1 || day < 1 || day > daysInMonth(year, month)) return null;
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
