/** Times in responses of the service: epoch milliseconds, or ISO 8601 in its many forms. */

/** ISO 8601, extended or basic: a date, or a date and time with or without a zone. The second 60 is a leap second. */
const isoDateTime =
  /^(\d{4})(-?)(\d\d)\2(\d\d)(?:[Tt ](\d\d)(?::?(\d\d)(?::?(\d\d)([.,]\d+)?)?)?(?:[Zz]|([+-]\d\d)(?::?(\d\d))?)?)?$/;
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
  const [, year, , month, day, hour = '00', minute = '00', second = '00', fraction = '', ...zone] = parts;
  if (new Date(`${year}-${month}-${day}`).getUTCDate() !== Number(day)) return Number.NaN;
  const isLeapSecond = second === '60';
  const time = `${hour}:${minute}:${isLeapSecond ? '59' : second}${fraction.replace(',', '.')}`;
  const [zoneHours = '+00', zoneMinutes = '00'] = zone;
  const epoch = Date.parse(`${year}-${month}-${day}T${time}${zoneHours}:${zoneMinutes}`);
  return isLeapSecond ? epoch + 1_000 : epoch;
}
