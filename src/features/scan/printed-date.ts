/** Dates as identity cards show them, with months in English or Malay. */
import { asDateTime } from '../../upstream/date-time.ts';

/** The English and Malay names of each month, long and short, January first. */
const months =
  'jan(uary|uari)? feb(ruary|ruari)? mar(ch)?|mac apr(il)? may|mei june? july?|julai aug(ust)?|ogos? sep(t(ember)?)? o[ck]t(ober)? nov(ember)? dec(ember)?|dis(ember)?'
    .split(' ')
    .map((names) => new RegExp(`^(${names})$`, 'i'));

const forms = [
  /^(?<day>\d{1,2})([-/.])(?<month>\d{1,2})\2(?<year>\d{4})$/,
  /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})$/,
  /^(?<day>\d{1,2})[ -](?<name>[a-z]+)\.?[ -](?<year>\d{4})$/i,
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
    const { year, month, name = '', day = '' } = form.exec(trimmed)?.groups ?? {};
    if (year === undefined || year === '0000') continue;
    const number = month ?? String(months.findIndex((names) => names.test(name)) + 1);
    return asDateTime(`${year}-${number.padStart(2, '0')}-${day.padStart(2, '0')}`)?.slice(0, 10) ?? null;
  }
  return null;
}
