/** The headers of a part of a multipart request: what they say is kept exactly, or refused. */
import { isUtf8 } from 'node:buffer';
import { badRequest } from '../../errors.ts';
import { percentDecoded } from '../percent-decoded.ts';

/** Most headers of a part, and most bytes of them: 16 KiB. */
export const maxPartHeaders = 20;
export const maxPartHeaderBytes = 16_384;

/** In lower case, with their values as Latin-1. */
type PartHeaders = Readonly<Record<string, readonly string[]>>;

export interface PartHead {
  readonly name: string;
  readonly filename: string | undefined;
  /** As it was written. */
  readonly contentType: string | undefined;
}

/** A parameter with its value: in quotes, where `\` precedes a quote or another `\`; in quotes without such; without quotes. */
const parameter =
  /;[ \t]*([^\s=;"*]+)(\*?)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"(?=[ \t]*(?:;|$))|"([^"]*)"(?=[ \t]*(?:;|$))|([^";]*))[ \t]*/y;

/** Encodings whose content is what was sent (RFC 2045, section 6.2). */
const identityEncodings = /^(7bit|8bit|binary)?$/i;

/** Returns undefined for a part that is not a field of a form. Throws BAD_REQUEST. */
export function readPartHead(headers: PartHeaders): PartHead | undefined {
  checkBounds(headers);
  const disposition = only(headers, 'content-disposition');
  const [type = ''] = disposition.split(';', 1);
  if (type.trim().toLowerCase() !== 'form-data') return undefined;
  const parameters = parametersOf(disposition, type.length);
  const name = parameters.get('name');
  if (name === undefined) return undefined;
  const contentType = only(headers, 'content-type');
  if (!/^[\t\x20-\x7e]*$/.test(contentType))
    throw badRequest('The content type of a part must be printable ASCII.');
  if (!identityEncodings.test(only(headers, 'content-transfer-encoding')))
    throw badRequest('The content of a part must be sent as it is, without a content transfer encoding.');
  return {
    name: inUtf8(name),
    filename: filenameIn(parameters),
    contentType: contentType || undefined,
  };
}

function checkBounds(headers: PartHeaders): void {
  const lines = Object.entries(headers).flatMap(([name, values]) => values.map((value) => name + value));
  // With the colon, a blank and the line break.
  const bytes = lines.reduce((sum, { length }) => sum + length + 4, 0);
  if (lines.length > maxPartHeaders || bytes > maxPartHeaderBytes)
    throw badRequest(
      `A part can have at most ${maxPartHeaders} headers, of together ${maxPartHeaderBytes} bytes.`,
    );
}

/** The value of a header; empty without one. */
function only(headers: PartHeaders, name: string): string {
  const [value = '', ...more] = headers[name] ?? [];
  if (more.length === 0) return value.trim();
  throw badRequest(`A part has the header ${name} more than once.`);
}

/** By name in lower case, with `*` for those of RFC 8187. `from`: where the first one begins. */
function parametersOf(disposition: string, from: number): Map<string, string> {
  const parameters = new Map<string, string>();
  // Not by a pattern: for blanks before the end its time would grow with the square of their number.
  let end = disposition.length;
  while (/[;\s]/.test(disposition[end - 1] ?? '')) end -= 1;
  parameter.lastIndex = from;
  while (parameter.lastIndex < end) {
    const found = parameter.exec(disposition);
    const [, name = '', star = '', escaped, quoted, plain = ''] = found ?? [];
    const key = name.toLowerCase() + star;
    if (!found || parameters.has(key)) throw badRequest('The content disposition of a part is malformed.');
    parameters.set(key, escaped?.replaceAll(/\\(["\\])/g, '$1') ?? quoted ?? plain.trim());
  }
  return parameters;
}

function filenameIn(parameters: ReadonlyMap<string, string>): string | undefined {
  const encoded = parameters.get('filename*');
  const plain = parameters.get('filename');
  if (encoded === undefined) return plain === undefined ? undefined : inUtf8(plain);
  const [, text] = /^utf-8'[^']*'(.*)$/i.exec(encoded) ?? [];
  return inUtf8(text === undefined ? undefined : percentDecoded(text).toString('latin1'));
}

/** The text of bytes that were read as Latin-1. */
function inUtf8(text: string | undefined): string {
  const bytes = Buffer.from(text ?? '', 'latin1');
  if (text !== undefined && isUtf8(bytes)) return bytes.toString();
  throw badRequest('The names of a part and of its file must be encoded in UTF-8.');
}
