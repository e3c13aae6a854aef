/** The rules of the XML of a Fapiao, checked while it is parsed; xml-rule-table.ts lists them. */
import { isUtf8 } from 'node:buffer';
import { SaxesParser } from 'saxes';
import type { InputProblem, ProblemDetails } from '../../input-problems.ts';
import { text } from '../../texts/texts.ts';
import { quoted } from '../../tools/shortened.ts';
import { hasDoctype, otherEncodingOf } from './xml-encoding.ts';
import { type XmlRule, xmlProblem } from './xml-rule-table.ts';

/** The required children of the root, once each and in this order (docs/service.md, "Request a Fapiao PDF"). */
export const children = [
  'Header',
  'EInvoiceData',
  'SellerAuthentication',
  'TaxSupervisionInfo',
  'TaxBureauSignature',
];

/** The elements of a Fapiao are at most 5 levels deep. */
const maxDepth = 64;

const maxQuotedNames = 10;

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
  const xml = new TextDecoder().decode(bytes);
  if (xml.trim() === '') return [xmlProblem('xml-empty', path)];
  const { errors, further } = readStructure(xml, path);
  if (errors.length > 0) return errors;
  const warnings: InputProblem[] = [];
  // US-ASCII is a subset of UTF-8.
  if (otherEncoding !== undefined && !/^(us-)?ascii$/i.test(otherEncoding)) {
    warnings.push(notChecked(path, otherEncoding));
  }
  if (further.length > 0) {
    warnings.push(xmlProblem('xml-further-child', path, { actual: joined(further) }));
  }
  return warnings;
}

function notChecked(path: readonly string[], encoding: string): InputProblem {
  return xmlProblem('xml-not-checked', path, { expected: 'UTF-8', actual: quoted(encoding) });
}

/** Parses the XML up to the first error. `further`: the first names of the root's further children. */
function readStructure(xml: string, path: readonly string[]) {
  const parser = new SaxesParser({ position: true });
  const errors: InputProblem[] = [];
  const found: string[] = [];
  const further: string[] = [];
  let depth = 0;

  /** Ends the parsing. The position is that of the last character read, from 1; a line break has column 1 of the line that it starts. */
  function fail(rule: XmlRule, details: ProblemDetails = {}): never {
    const position = { line: parser.line, column: Math.max(1, parser.columnIndex) };
    const messageText = text('problem.xml-position', { problem: text(`rule.${rule}`), ...position });
    errors.push(xmlProblem(rule, path, { ...details, messageText }));
    throw new Error(rule);
  }
  const failForChildren = () =>
    fail('xml-children', { expected: children.join(', '), actual: joined(found) || undefined });

  parser.on('doctype', () => fail('xml-doctype'));
  parser.on('opentag', ({ name }) => {
    depth += 1;
    if (depth > maxDepth) fail('xml-too-deep');
    const local = localName(name);
    if (depth === 1 && local !== 'EInvoice') {
      fail('xml-root', { expected: 'EInvoice', actual: quoted(name) });
    }
    if (depth === 2 && !children.includes(local)) {
      if (further.length < maxQuotedNames) further.push(name);
    } else if (depth === 2) {
      found.push(local);
      if (local !== children[found.length - 1]) failForChildren();
    }
  });
  parser.on('closetag', () => {
    depth -= 1;
    if (depth === 0 && found.length < children.length) failForChildren();
  });
  // The parser's message is not used, because it may quote the document.
  parser.on('error', () => fail('xml-malformed'));
  try {
    parser.write(xml).close();
  } catch (error) {
    if (errors.length === 0) throw error;
  }
  return { errors, further };
}

/** Removes the namespace prefix: the service does not state the namespace of a Fapiao. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function joined(names: readonly string[]): string {
  return names.map(quoted).join(', ');
}
