/** The fast way to read an export: about ten times as fast as csv-parse, which reads every text that has not this form. */

const quote = 0x22;
const comma = 0x2c;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Returns the records of a text, at most `maxRecords`, exactly as csv-parse does. Returns undefined when the text is not
 * plain RFC 4180: a quote inside a cell without quotes, text after a closing quote, an unclosed quote, a carriage return
 * that ends no line, or a lone surrogate. Empty lines are skipped.
 */
export function readPlainCsv(csv: string, maxRecords: number): string[][] | undefined {
  if (!csv.isWellFormed()) return undefined;
  const { length } = csv;
  const records: string[][] = [];
  let cells: string[] = [];
  let at = csv.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < length && records.length < maxRecords) {
    let end = at;
    if (csv.charCodeAt(at) === quote) {
      end = endOfQuotes(csv, at);
      if (end < 0) return undefined;
      const text = csv.slice(at + 1, end - 1);
      cells.push(text.includes('"') ? text.replaceAll('""', '"') : text);
    } else {
      while (end < length && !isSpecial(csv.charCodeAt(end))) end += 1;
      cells.push(csv.slice(at, end));
    }
    const isEmptyLine = cells.length === 1 && end === at;
    const isCrLf = csv.charCodeAt(end) === carriageReturn && csv.charCodeAt(end + 1) === lineFeed;
    const next = isCrLf ? lineFeed : csv.charCodeAt(end);
    at = end + (isCrLf ? 2 : 1);
    if (next === comma && at < length) continue;
    if (next === comma) cells.push('');
    else if (end < length && next !== lineFeed) return undefined;
    if (!isEmptyLine || next === comma) records.push(cells);
    cells = [];
  }
  return records;
}

/** The index after the closing quote of the cell that begins at `start`; -1 when there is none. */
function endOfQuotes(csv: string, start: number): number {
  let end = csv.indexOf('"', start + 1);
  while (end >= 0 && csv.charCodeAt(end + 1) === quote) end = csv.indexOf('"', end + 2);
  return end < 0 ? -1 : end + 1;
}

function isSpecial(code: number): boolean {
  return code === comma || code === lineFeed || code === carriageReturn || code === quote;
}
