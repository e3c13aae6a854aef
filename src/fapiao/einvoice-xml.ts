import { SaxesParser } from 'saxes';
import type { InputProblem } from '../errors.ts';

/** The root's children, each once and in this order (interface document, "Generate Fapiao PDF from XML"). */
const children = [
  'Header',
  'EInvoiceData',
  'SellerAuthentication',
  'TaxSupervisionInfo',
  'TaxBureauSignature',
];

/** Deeper than any Fapiao, whose elements stand 5 levels deep. */
const maxDepth = 64;

/** Longest name that a problem quotes, in characters. */
const maxQuotedName = 60;

/**
 * What keeps the bytes from being a Fapiao; empty when nothing does. Nothing is expanded or fetched: a
 * document type is refused, and with it every entity that one could declare. `path` leads to the document
 * in the input. The first problem ends the reading.
 */
export function checkEInvoiceXml(bytes: Uint8Array, path: readonly string[]): InputProblem[] {
  const problem = (rule: string, message: string, details: { expected?: string; actual?: string } = {}) => [
    { rule, severity: 'ERROR' as const, path, message, ...details },
  ];
  const text = utf8Text(bytes);
  if (text === null)
    return problem('xml-encoding', 'The XML must be encoded in UTF-8.', { expected: 'UTF-8' });
  if (text.trim() === '') return problem('xml-empty', 'The XML is empty.');
  try {
    readStructure(text);
    return [];
  } catch (error) {
    if (error instanceof StructureProblem) return problem(error.rule, error.message, error.details);
    throw error;
  }
}

class StructureProblem extends Error {
  override readonly name = 'StructureProblem';
  readonly rule: string;
  readonly details: { expected?: string; actual?: string };

  constructor(rule: string, message: string, details: { expected?: string; actual?: string } = {}) {
    super(message);
    this.rule = rule;
    this.details = details;
  }
}

/** Throws the first `StructureProblem`. */
function readStructure(text: string): void {
  const parser = new SaxesParser({ position: true });
  const found: string[] = [];
  let depth = 0;
  /** The last character read, one-based; a line break stands at the start of the line that it begins. */
  const at = () => `at line ${parser.line}, column ${Math.max(1, parser.columnIndex)}`;

  parser.on('xmldecl', ({ encoding }) => {
    if (encoding === undefined || /^utf-?8$/i.test(encoding)) return;
    const message = `The XML declares another encoding than UTF-8 ${at()}.`;
    throw new StructureProblem('xml-encoding', message, { expected: 'UTF-8', actual: quoted(encoding) });
  });
  parser.on('doctype', () => {
    throw new StructureProblem('xml-doctype', `The XML has a document type ${at()}: a Fapiao has none.`);
  });
  parser.on('opentag', ({ name }) => {
    depth += 1;
    if (depth > maxDepth) {
      throw new StructureProblem(
        'xml-too-deep',
        `Elements are nested more than ${maxDepth} levels deep ${at()}.`,
      );
    }
    if (depth === 1 && name !== 'EInvoice') {
      const message = `The root element ${at()} is no EInvoice.`;
      throw new StructureProblem('xml-root', message, { expected: 'EInvoice', actual: quoted(name) });
    }
    if (depth === 2) {
      found.push(name);
      if (name !== children[found.length - 1]) throw wrongChildren(found, at());
    }
  });
  parser.on('closetag', () => {
    depth -= 1;
    if (depth === 0 && found.length < children.length) throw wrongChildren(found, at());
  });
  parser.on('error', () => {
    // The parser's message may quote the document.
    throw new StructureProblem('xml-malformed', `The XML is not well-formed ${at()}.`);
  });
  parser.write(text).close();
}

function wrongChildren(found: readonly string[], at: string): StructureProblem {
  const message = `EInvoice must hold its five children once each and in order; this breaks ${at}.`;
  return new StructureProblem('xml-children', message, {
    expected: children.join(', '),
    actual: found.map(quoted).join(', ') || 'none',
  });
}

function quoted(name: string): string {
  return name.length > maxQuotedName ? `${name.slice(0, maxQuotedName)}…` : name;
}

/** null: not UTF-8. A byte order mark is no part of the text. */
function utf8Text(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
