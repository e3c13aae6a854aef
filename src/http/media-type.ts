import { MIMEType } from 'node:util';

/** The type of almost every request. */
const json = new MIMEType('application/json');

/** Longest media type with its parameters, in characters: reading one takes time that grows with the square of its length. */
const maxLength = 1_024;

/** Undefined when the header is absent, malformed or too long. */
export function mediaTypeOf(header: string | undefined): MIMEType | undefined {
  if (header === undefined || header.length > maxLength) return undefined;
  if (header === 'application/json') return json;
  try {
    return new MIMEType(header);
  } catch {
    return undefined;
  }
}
