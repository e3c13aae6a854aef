import { SaxesParser } from 'saxes';
import type { InputProblem } from '../errors.ts';
import { hasDoctype, otherEncodingOf } from './xml-encoding.ts';
import { type XmlRule, xmlProblem } from './xml-rule-table.ts';

/** The root's children, each once and in this order (docs/service.md, "Request a Fapiao PDF"). */
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

/** Most names that a problem quotes. */
const maxQuotedNames = 10;

/** Most further children of the root: with more of them it is another document, and is not read to its end. */
const maxFurtherChildren = 1_000;

export interface XmlSource {
  /** A file says in which encoding it is written; text was UTF-8 when it came. */
  readonly isFile: boolean;
  /** Leads to the document in the input. */
  readonly path: readonly string[];
}

/**
 * What keeps the bytes from being a Fapiao, or is unusual about them. Nothing is expanded or fetched: a
 * document type is refused, and with it every entity that one could declare. The first error ends the reading.
 */
export function checkEInvoiceXml(bytes: Uint8Array, { isFile, path }: XmlSource): InputProblem[] {
  const otherEncoding = isFile ? otherEncodingOf(bytes) : undefined;
  if (otherEncoding !== undefined) {
    if (hasDoctype(bytes))
      return [xmlProblem('xml-doctype', path, 'The XML has a document type: a Fapiao has none.')];
    const message =
      'The file declares another encoding than UTF-8: it is sent as it is, its content not checked.';
    return [
      xmlProblem('xml-not-checked', path, message, { expected: 'UTF-8', actual: quoted(otherEncoding) }),
    ];
  }
  const text = utf8Text(bytes);
  if (text === null) {
    return [xmlProblem('xml-encoding', path, 'The XML must be encoded in UTF-8.', { expected: 'UTF-8' })];
  }
  if (text.trim() === '') return [xmlProblem('xml-empty', path, 'The XML is empty.')];
  try {
    const further = readStructure(text);
    if (further.length === 0) return [];
    const message = 'EInvoice holds elements beside its five children.';
    return [
      xmlProblem('xml-further-child', path, message, { actual: listed(further.slice(0, maxQuotedNames)) }),
    ];
  } catch (error) {
    if (error instanceof StructureProblem)
      return [xmlProblem(error.rule, path, error.message, error.details)];
    throw error;
  }
}

class StructureProblem extends Error {
  override readonly name = 'StructureProblem';
  readonly rule: XmlRule;
  readonly details: { expected?: string; actual?: string };

  constructor(rule: XmlRule, message: string, details: { expected?: string; actual?: string } = {}) {
    super(message);
    this.rule = rule;
    this.details = details;
  }
}

/** The names of the root's further children. Throws the first `StructureProblem`. */
function readStructure(text: string): string[] {
  const parser = new SaxesParser({ position: true });
  const found: string[] = [];
  const further: string[] = [];
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
    const local = localName(name);
    if (depth === 1 && local !== 'EInvoice') {
      const message = `The root element ${at()} is no EInvoice.`;
      throw new StructureProblem('xml-root', message, { expected: 'EInvoice', actual: quoted(name) });
    }
    if (depth === 2 && !children.includes(local)) {
      further.push(name);
      if (further.length > maxFurtherChildren) throw wrongChildren(found, at());
    } else if (depth === 2) {
      found.push(local);
      if (local !== children[found.length - 1]) throw wrongChildren(found, at());
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
  return further;
}

function wrongChildren(found: readonly string[], at: string): StructureProblem {
  const message = `EInvoice must hold its five children once each and in order; this breaks ${at}.`;
  return new StructureProblem('xml-children', message, {
    expected: children.join(', '),
    actual: listed(found) || 'none',
  });
}

/** A prefix stands for a namespace; which one a Fapiao has is not stated. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function listed(names: readonly string[]): string {
  return names.map(quoted).join(', ');
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
