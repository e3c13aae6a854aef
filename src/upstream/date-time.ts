/** Times in responses of the service: epoch milliseconds, or ISO 8601 in its many forms. */

/**
 * ISO 8601, extended or basic: a day of a month, of a week or of the year, and a time with or without a zone. The last part of
 * the time may have a fraction. The second 60 is a leap second.
 */
const isoDateTime =
  /^(\d{4})(-?)(?:(\d\d)\2(\d\d)|W(\d\d)\2([1-7])|(\d{3}))(?:[Tt ](\d\d)(?::?(\d\d)(?::?(\d\d))?)?([.,]\d+)?(?:[Zz]|([+\u2212-]\d\d)(?::?(\d\d))?)?)?$/;
const dayMs = 86_400_000;
/** Longest text of a time, in characters: the service may send millions of digits of a second. */
const maxLength = 64;
/** A time as `toISOString` writes it, on a day that every month has. */
const isoText = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
/** The years 0 to 9999, beyond which ISO 8601 needs more digits (epoch ms). */
const [minTime, maxTime] = [Date.parse('0000-01-01'), Date.parse('9999-12-31T23:59:59.999Z')];

/**
 * A time of the service as `toISOString` writes it; undefined for what is not a time. Without a zone it is UTC. A day that the
 * month does not have is invalid: `Date` would use the next month.
 */
export function asDateTime(value: unknown): string | undefined {
  if (typeof value === 'string' && isoText.test(value)) return value;
  const time = typeof value === 'string' ? epochOf(value) : value;
  return typeof time === 'number' && time >= minTime && time <= maxTime
    ? new Date(time).toISOString()
    : undefined;
}

/** NaN for a text that is not a time. */
function epochOf(text: string): number {
  const parts = text.length <= maxLength ? isoDateTime.exec(text) : null;
  if (!parts) return Number.NaN;
  const [hour = '00', minute, second, fraction = '', zoneHours = '+00', zoneMinutes = '00'] = parts.slice(8);
  const isLeapSecond = second === '60';
  const time = `${hour}:${minute ?? '00'}:${isLeapSecond ? '59' : (second ?? '00')}`;
  const zone = `${zoneHours.replace('\u2212', '-')}:${zoneMinutes}`;
  const unit = minute === undefined ? 3_600 : second === undefined ? 60 : 1;
  const fractionMs = Math.trunc(Number(`0${fraction.replace(',', '.')}e3`) * unit);
  const timeMs = Date.parse(`1970-01-01T${time}${zone}`);
  // 24:00 is the end of the day.
  if (hour === '24' && fractionMs > 0) return Number.NaN;
  return dayOf(parts) + timeMs + (isLeapSecond ? 1_000 : 0) + fractionMs;
}

/** The start of the day (epoch ms); NaN for one that the month or the year does not have. */
function dayOf([, year, , month, day, week, weekday, yearday]: RegExpExecArray): number {
  if (month !== undefined) {
    const date = new Date(`${year}-${month}-${day}T00:00Z`);
    return date.getUTCDate() === Number(day) ? date.getTime() : Number.NaN;
  }
  const newYear = new Date(`${year}-01-01`);
  // Days after it. A week belongs to the year of its Thursday, and Sunday is 0.
  const thursday = ((11 - newYear.getUTCDay()) % 7) + 7 * (Number(week) - 1);
  const days = week === undefined ? Number(yearday) - 1 : thursday + Number(weekday) - 4;
  const inYear = new Date(newYear.getTime() + (week === undefined ? days : thursday) * dayMs);
  return inYear.getUTCFullYear() === Number(year) ? newYear.getTime() + days * dayMs : Number.NaN;
}
