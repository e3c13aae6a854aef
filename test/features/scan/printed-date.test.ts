import { describe, expect, it } from 'vitest';
import { readPrintedDate } from '../../../src/features/scan/printed-date.ts';
import { fc } from '../../support/fast-check.ts';

/** Every form of a month's name on a card, January first: English, then Malay, long and short. */
const monthNames: string[][] = [
  ['January', 'Jan', 'Januari'],
  ['February', 'Feb', 'Februari'],
  ['March', 'Mar', 'Mac'],
  ['April', 'Apr'],
  ['May', 'Mei'],
  ['June', 'Jun'],
  ['July', 'Jul', 'Julai'],
  ['August', 'Aug', 'Ogos', 'Ogo'],
  ['September', 'Sep', 'Sept'],
  ['October', 'Oct', 'Oktober', 'Okt'],
  ['November', 'Nov'],
  ['December', 'Dec', 'Disember', 'Dis'],
];

describe('a date printed on a card', () => {
  it('is parsed for every day of every year in every form, the day first', () => {
    fc.assert(
      fc.property(aDay, (date) => {
        for (const text of formsOf(date)) expect([text, readPrintedDate(text)]).toEqual([text, date]);
      }),
      { numRuns: 40, seed: 4, examples: [['0001-01-01'], ['9999-12-31']] },
    );
  });
});

describe('a text that is not certainly a date', () => {
  it.each([
    ['the year 0', '01-01-0000'],
    ['a year of two digits', '09-04-31'],
    ['a year of two digits with a named month', '09 APR 31'],
    ['two kinds of separator', '09-04/2031'],
    ['a month that no language here has', '09 AVR 2031'],
    ['a name that every object has', '09 constructor 2031'],
    ['a time of day', '09-04-2031 12:00'],
    ['digits of another script', '٠٩-04-2031'],
    ['a year of five digits', '09-04-20311'],
    ['blanks for separators', '09 04 2031'],
    ['slashes behind a year that comes first', '2031/04/09'],
    ['two dates', '09-04-2031\n10-04-2031'],
    ['nothing', ''],
    ['a date with more than 100 characters of whitespace', `${' '.repeat(100)}09-04-2031`],
  ])('is null: %s', (_what, text) => {
    expect(readPrintedDate(text)).toBeNull();
  });

  it('is null for exactly the days that do not exist', () => {
    const padded = (number: number, length = 2) => String(number).padStart(length, '0');
    for (const year of [4, 1_900, 2_000, 2_031, 2_032])
      for (let month = 0; month <= 13; month += 1)
        for (let day = 0; day <= 32; day += 1) {
          const date = `${padded(year, 4)}-${padded(month)}-${padded(day)}`;
          // A day beyond the end of its month is one of the next month.
          const read = new Date(`${date}T00:00Z`);
          const exists = !Number.isNaN(read.valueOf()) && read.toISOString().startsWith(date);
          expect([date, readPrintedDate(date)]).toEqual([date, exists ? date : null]);
        }
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789-/. aAcCjJnNmM\n') }), (text) => {
        expect(readPrintedDate(text) ?? '0001-01-01').toMatch(/^\d{4}-\d{2}-\d{2}$/);
      }),
    );
  });
});

const dayMs = 86_400_000;

/** Any day from 0001-01-01 to 9999-12-31, as ISO 8601. */
const aDay = fc
  .integer({ min: Date.parse('0001-01-01') / dayMs, max: Date.parse('9999-12-31') / dayMs })
  .map((day) => new Date(day * dayMs).toISOString().slice(0, 10));

/** Every form of a day: with one digit or two, with whitespace around it, and with each name of its month in any case, also abbreviated. */
function formsOf(date: string): string[] {
  const [year = '', month = '', day = ''] = date.split('-');
  const [shortMonth, shortDay] = [String(Number(month)), String(Number(day))];
  const names = monthNames[Number(month) - 1]?.flatMap((name) => [
    name,
    name.toLowerCase(),
    name.toUpperCase(),
  ]);
  return [day, shortDay].flatMap((dd) => [
    ...[month, shortMonth].flatMap((mm) => [
      `${year}-${mm}-${dd}`,
      ` \t${year}-${mm}-${dd}\r\n`,
      ...['-', '/', '.'].map((separator) => [dd, mm, year].join(separator)),
    ]),
    ...(names ?? []).flatMap((name) => [
      `${dd} ${name} ${year}`,
      `${dd}-${name}-${year}`,
      `${dd} ${name}. ${year}`,
    ]),
  ]);
}
