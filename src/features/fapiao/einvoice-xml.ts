import { SaxesParser } from 'saxes';
import type { InputProblem } from '../../errors.ts';
import { hasDoctype, otherEncodingOf } from './xml-encoding.ts';
import { type XmlRule, xmlProblem } from './xml-rule-table.ts';

/** The required children of the root, once each and in this order (docs/service.md, "Request a Fapiao PDF"). */
const children = [
  'Header',
  'EInvoiceData',
  'SellerAuthentication',
  'TaxSupervisionInfo',
  'TaxBureauSignature',
];

/** The elements of a Fapiao are at most 5 levels deep. */
const maxDepth = 64;

/** Characters of a name that a problem quotes. */
const maxQuotedName = 60;

/** Names that a problem quotes. */
const maxQuotedNames = 10;

/** Further children of the root that cause a warning; more are an error, and parsing stops. */
const maxFurtherChildren = 1_000;

export interface XmlSource {
  /** A file may declare another encoding; text was received as UTF-8. */
  readonly isFile: boolean;
  /** Path of the document in the input. */
  readonly path: readonly string[];
}

/**
 * Checks the XML of a Fapiao and returns its errors and warnings. Nothing is expanded or fetched: a DOCTYPE, which could
 * declare entities, is an error. Parsing stops at the first error.
 */
export function checkEInvoiceXml(bytes: Uint8Array, { isFile, path }: XmlSource): InputProblem[] {
  const otherEncoding = otherEncodingOf(bytes);
  if (isFile && otherEncoding !== undefined) {
    if (hasDoctype(bytes)) return [xmlProblem('xml-doctype', path, 'The XML must not have a DOCTYPE.')];
    const message = 'The file declares an encoding other than UTF-8: its content is sent without a check.';
    return [notChecked(path, message, otherEncoding)];
  }
  const text = utf8Text(bytes);
  if (text === null) {
    return [xmlProblem('xml-encoding', path, 'The XML must be encoded in UTF-8.', { expected: 'UTF-8' })];
  }
  if (text.trim() === '') return [xmlProblem('xml-empty', path, 'The XML is empty.')];
  try {
    const further = readStructure(text);
    const warnings: InputProblem[] = [];
    // US-ASCII is a subset of UTF-8.
    if (otherEncoding !== undefined && !/^(us-)?ascii$/i.test(otherEncoding)) {
      const message = 'The XML declares an encoding other than UTF-8, but text is sent as UTF-8.';
      warnings.push(notChecked(path, message, otherEncoding));
    }
    if (further.length > 0) {
      const message = 'EInvoice contains elements other than its five children.';
      const actual = listed(further.slice(0, maxQuotedNames));
      warnings.push(xmlProblem('xml-further-child', path, message, { actual }));
    }
    return warnings;
  } catch (error) {
    if (error instanceof StructureProblemError)
      return [xmlProblem(error.rule, path, error.message, error.details)];
    throw error;
  }
}

function notChecked(path: readonly string[], message: string, encoding: string): InputProblem {
  return xmlProblem('xml-not-checked', path, message, { expected: 'UTF-8', actual: quoted(encoding) });
}

class StructureProblemError extends Error {
  override readonly name = 'StructureProblemError';
  readonly rule: XmlRule;
  readonly details: { expected?: string; actual?: string };

  constructor(rule: XmlRule, message: string, details: { expected?: string; actual?: string } = {}) {
    super(message);
    this.rule = rule;
    this.details = details;
  }
}

/** Parses the XML and returns the names of the root's further children. Throws a `StructureProblemError` at the first error. */
function readStructure(text: string): string[] {
  const parser = new SaxesParser({ position: true });
  const found: string[] = [];
  const further: string[] = [];
  let depth = 0;
  /** The position of the last character read, from 1; a line break has column 1 of the line that it starts. */
  const at = () => `at line ${parser.line}, column ${Math.max(1, parser.columnIndex)}`;

  parser.on('doctype', () => {
    throw new StructureProblemError('xml-doctype', `The XML must not have a DOCTYPE; it has one ${at()}.`);
  });
  parser.on('opentag', ({ name }) => {
    depth += 1;
    if (depth > maxDepth) {
      throw new StructureProblemError(
        'xml-too-deep',
        `Elements are nested more than ${maxDepth} levels deep ${at()}.`,
      );
    }
    const local = localName(name);
    if (depth === 1 && local !== 'EInvoice') {
      const message = `The root element ${at()} must be EInvoice.`;
      throw new StructureProblemError('xml-root', message, { expected: 'EInvoice', actual: quoted(name) });
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
    // The parser's message is not used, because it may quote the document.
    throw new StructureProblemError('xml-malformed', `The XML is not well-formed ${at()}.`);
  });
  parser.write(text).close();
  return further;
}

function wrongChildren(found: readonly string[], at: string): StructureProblemError {
  const message = `EInvoice must contain its five children once each and in order; the first violation is ${at}.`;
  return new StructureProblemError('xml-children', message, {
    expected: children.join(', '),
    actual: listed(found) || 'none',
  });
}

/** Removes the namespace prefix: the service does not state the namespace of a Fapiao. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function listed(names: readonly string[]): string {
  return names.map(quoted).join(', ');
}

function quoted(name: string): string {
  return name.length > maxQuotedName ? `${name.slice(0, maxQuotedName)}…` : name;
}

/** Decodes UTF-8 without its byte order mark; null when the bytes are not UTF-8. */
function utf8Text(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
