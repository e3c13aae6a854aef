/** A calendar date such as `2031-04-09` in the user's locale. It has no time zone. */
export function localDate(date: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date));
}

/** A date and time in the user's locale and time zone. */
export function localDateTime(dateTime: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' }).format(
    new Date(dateTime),
  );
}

/** A time of the current day in the user's locale and time zone. */
export function localTime(dateTime: string): string {
  return new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' }).format(new Date(dateTime));
}
