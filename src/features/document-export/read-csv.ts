/** Reads delimited text by RFC 4180: doubled quotes, line breaks inside quotes, LF or CRLF. */

const quote = 0x22;
const comma = 0x2c;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Returns the records of a text, at most `maxRecords`. A record of more than `maxCells` is the last one, and may be cut.
 * Empty lines and a byte order mark are left out. Throws an UnreadableCsvError for a quote inside a cell without quotes,
 * text after a closing quote, and an unclosed quote.
 */
export function readCsv(text: string, maxRecords: number, maxCells = Number.POSITIVE_INFINITY): string[][] {
  const { length } = text;
  const records: string[][] = [];
  let cells: string[] = [];
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < length && records.length < maxRecords) {
    const isQuoted = text.charCodeAt(at) === quote;
    const end = isQuoted ? endOfQuotes(text, at) : endOfCell(text, at);
    if (end < 0) throw new UnreadableCsvError('CSV_QUOTE_NOT_CLOSED', records.length);
    const isCrLf = isLineBreak(text, end);
    const next = isCrLf ? lineFeed : text.charCodeAt(end);
    if (end < length && next !== comma && next !== lineFeed) {
      const code = isQuoted ? 'CSV_INVALID_CLOSING_QUOTE' : 'INVALID_OPENING_QUOTE';
      throw new UnreadableCsvError(code, records.length, lineAt(text, end));
    }
    cells.push(isQuoted ? unquoted(text.slice(at + 1, end - 1)) : text.slice(at, end));
    if (cells.length > maxCells) return [...records, cells];
    const isEmptyLine = cells.length === 1 && end === at;
    at = end + (isCrLf ? 2 : 1);
    if (next === comma && at < length) continue;
    if (next === comma) cells.push('');
    if (!isEmptyLine || next === comma) records.push(cells);
    cells = [];
  }
  return records;
}

/** The index after the closing quote of the cell that begins at `start`; -1 when there is none. */
function endOfQuotes(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && text.charCodeAt(end + 1) === quote) end = text.indexOf('"', end + 2);
  return end < 0 ? -1 : end + 1;
}

function unquoted(cell: string): string {
  // `replaceAll` takes four times as long for a cell of quotes.
  return cell.includes('"') ? cell.split('""').join('"') : cell;
}

/** The index of what ends a cell without quotes: a comma, a line break, the end of the text, or a quote, which is an error. */
function endOfCell(text: string, start: number): number {
  let end = start;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code === comma || code === lineFeed || code === quote) break;
    if (code === carriageReturn && isLineBreak(text, end)) break;
    end += 1;
  }
  return end;
}

/** Whether there is a CRLF. A carriage return alone is part of its cell. */
function isLineBreak(text: string, at: number): boolean {
  return text.charCodeAt(at) === carriageReturn && text.charCodeAt(at + 1) === lineFeed;
}

function lineAt(text: string, at: number): number {
  let line = 1;
  for (let index = 0; index < at; index += 1) {
    const code = text.charCodeAt(index);
    if (code === lineFeed || (code === carriageReturn && !isLineBreak(text, index))) line += 1;
  }
  return line;
}

/** States where a text is not valid CSV. Never quotes a cell, which may be personal data. */
export class UnreadableCsvError extends Error {
  override readonly name = 'UnreadableCsvError';

  /** `records`: the number of those before the error: the header is record 0. */
  constructor(code: string, records: number, line?: number) {
    const row = records === 0 ? 'the header row' : `row ${records}`;
    const problem =
      line === undefined ? 'has an unclosed quote' : `is not valid CSV at line ${line} of the text`;
    super(`${row} ${problem} (${code})`);
  }
}
