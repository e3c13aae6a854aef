/** Small Fapiao documents, and the problems that their check returns. */
import { expect } from 'vitest';
import { checkEInvoiceXml } from '../../src/features/fapiao/check-einvoice-xml.ts';

export const children = [
  'Header',
  'EInvoiceData',
  'SellerAuthentication',
  'TaxSupervisionInfo',
  'TaxBureauSignature',
];

export function eInvoiceOf(names: readonly string[]): string {
  return `<EInvoice>${names.map((name) => `<${name}/>`).join('')}</EInvoice>`;
}

/** The smallest Fapiao, with `content` in its header. */
export function anEInvoice(content = ''): string {
  return eInvoiceOf(children).replace('<Header/>', () => `<Header>${content}</Header>`);
}

/** A Fapiao with these bytes in its header. */
export function aHeaderOf(...bytes: number[]): Buffer {
  const [before = '', after = ''] = anEInvoice('|').split('|');
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
}

export function problems(xml: string | Uint8Array, source: 'file' | 'xml' = 'xml') {
  return checkEInvoiceXml(Buffer.from(xml as string), source);
}

export function rulesOf(xml: string | Uint8Array): string[] {
  return problems(xml).map(({ rule }) => rule);
}

export function problem(
  rule: string,
  message: string,
  details: { severity?: string; path?: string[]; expected?: string; actual?: string | undefined } = {},
) {
  return expect.objectContaining({ rule, severity: 'ERROR', path: ['document', 'xml'], message, ...details });
}
