/** `2031-04-09` in the reader's own words; a calendar date has no time zone. */
export function spokenDate(date: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date));
}

/** A moment, in the reader's own time zone. */
export function spokenMoment(moment: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' }).format(
    new Date(moment),
  );
}

/** The time of day of a moment that is not long ago. */
export function spokenTime(moment: string): string {
  return new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' }).format(new Date(moment));
}
