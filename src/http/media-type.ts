import { MIMEType } from 'node:util';

/** The type of almost every request. */
const json = new MIMEType('application/json');

/** Undefined when the header is absent or malformed. */
export function mediaTypeOf(header: string | undefined): MIMEType | undefined {
  if (header === undefined) return undefined;
  if (header === 'application/json') return json;
  try {
    return new MIMEType(header);
  } catch {
    return undefined;
  }
}
