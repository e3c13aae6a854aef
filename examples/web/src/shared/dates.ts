import { dateLocale } from '../language/language.ts';

/** A calendar date such as `2031-04-09` in the language of the page. It has no time zone. */
export function localDate(date: string): string {
  return new Intl.DateTimeFormat(dateLocale(), { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date));
}

/** A date and time in the language of the page and time zone. */
export function localDateTime(dateTime: string): string {
  return new Intl.DateTimeFormat(dateLocale(), { dateStyle: 'medium', timeStyle: 'medium' }).format(
    new Date(dateTime),
  );
}

/** A time of the current day in the language of the page and time zone. */
export function localTime(dateTime: string): string {
  return new Intl.DateTimeFormat(dateLocale(), { timeStyle: 'medium' }).format(new Date(dateTime));
}

/** A duration such as `40 seconds` in the language of the page. */
export function localDuration({ count, unit }: { readonly count: number; readonly unit: string }): string {
  return new Intl.NumberFormat(dateLocale(), { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}
