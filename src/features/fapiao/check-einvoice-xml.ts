/** The rules of the XML of a Fapiao, checked while it is parsed; xml-rule-table.ts lists them. */
import { isUtf8 } from 'node:buffer';
import { SaxesParser } from 'saxes';
import type { InputProblem, ProblemDetails } from '../../input-problems.ts';
import { text } from '../../texts/texts.ts';
import { quoted } from '../../tools/shortened.ts';
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

const maxQuotedNames = 10;

/** Further children of the root that cause a warning; more are an error, and parsing stops. */
const maxFurtherChildren = 1_000;

/**
 * Checks the XML of a Fapiao and returns its errors and warnings. Nothing is expanded or fetched: a DOCTYPE, which could
 * declare entities, is an error. Parsing stops at the first error. `source`: the field of the document that has the XML. A
 * file may declare another encoding; text was received as UTF-8.
 */
export function checkEInvoiceXml(bytes: Uint8Array, source: 'file' | 'xml'): InputProblem[] {
  const path = ['document', source];
  const otherEncoding = otherEncodingOf(bytes);
  if (source === 'file' && otherEncoding !== undefined) {
    if (hasDoctype(bytes)) return [xmlProblem('xml-doctype', path)];
    return [notChecked(path, otherEncoding)];
  }
  if (!isUtf8(bytes)) return [xmlProblem('xml-encoding', path, { expected: 'UTF-8' })];
  // Without its byte order mark.
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === '') return [xmlProblem('xml-empty', path)];
  try {
    const further = readStructure(text);
    const warnings: InputProblem[] = [];
    // US-ASCII is a subset of UTF-8.
    if (otherEncoding !== undefined && !/^(us-)?ascii$/i.test(otherEncoding)) {
      warnings.push(notChecked(path, otherEncoding));
    }
    if (further.length > 0) {
      const actual = joined(further.slice(0, maxQuotedNames));
      warnings.push(xmlProblem('xml-further-child', path, { actual }));
    }
    return warnings;
  } catch (error) {
    if (error instanceof StructureProblemError) return [xmlProblem(error.rule, path, error.details)];
    throw error;
  }
}

function notChecked(path: readonly string[], encoding: string): InputProblem {
  return xmlProblem('xml-not-checked', path, { expected: 'UTF-8', actual: quoted(encoding) });
}

class StructureProblemError extends Error {
  override readonly name = 'StructureProblemError';
  readonly rule: XmlRule;
  readonly details: ProblemDetails;

  /** `at`: the position of the last character read. */
  constructor(rule: XmlRule, at: Position, details: ProblemDetails = {}) {
    super(rule);
    this.rule = rule;
    const messageText = text('problem.xml-position', { problem: text(`rule.${rule}`), ...at });
    this.details = { ...details, messageText };
  }
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** Parses the XML and returns the names of the root's further children. Throws a `StructureProblemError` at the first error. */
function readStructure(text: string): string[] {
  const parser = new SaxesParser({ position: true });
  const found: string[] = [];
  const further: string[] = [];
  let depth = 0;
  /** The position of the last character read, from 1; a line break has column 1 of the line that it starts. */
  const at = () => ({ line: parser.line, column: Math.max(1, parser.columnIndex) });

  parser.on('doctype', () => {
    throw new StructureProblemError('xml-doctype', at());
  });
  parser.on('opentag', ({ name }) => {
    depth += 1;
    if (depth > maxDepth) throw new StructureProblemError('xml-too-deep', at());
    const local = localName(name);
    if (depth === 1 && local !== 'EInvoice') {
      throw new StructureProblemError('xml-root', at(), { expected: 'EInvoice', actual: quoted(name) });
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
    throw new StructureProblemError('xml-malformed', at());
  });
  parser.write(text).close();
  return further;
}

function wrongChildren(found: readonly string[], at: Position): StructureProblemError {
  return new StructureProblemError('xml-children', at, {
    expected: children.join(', '),
    actual: joined(found) || undefined,
  });
}

/** Removes the namespace prefix: the service does not state the namespace of a Fapiao. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function joined(names: readonly string[]): string {
  return names.map(quoted).join(', ');
}
