import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { anEInvoice, problems, rulesOf } from '../../support/einvoice.ts';
import { fc } from '../../support/fast-check.ts';
import { leastCpuMs } from '../../support/work.ts';

/** Checks an XML in little time: quadratic time would be ten seconds. */
async function expectInLinearTime(xml: string, rules: readonly string[]): Promise<void> {
  const check = async () => expect(rulesOf(xml)).toEqual(rules);
  expect(await leastCpuMs(check, 1_000)).toBeLessThan(1_000);
}

describe('a hostile XML', () => {
  const laugh = (n: number) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`;
  const laughs = Array.from({ length: 40 }, (_, n) => laugh(n)).join('');
  const attributes = Array.from({ length: 60_000 }, (_, n) => `a${n}="1"`).join(' ');

  it.each([
    ['a billion laughs', 'xml-doctype', `<!DOCTYPE EInvoice [${laughs}]>${anEInvoice('&l40;')}`],
    ['100,000 levels', 'xml-too-deep', anEInvoice('<a>'.repeat(100_000) + '</a>'.repeat(100_000))],
    ['100,000 children', 'xml-children', `<EInvoice>${'<a/>'.repeat(100_000)}</EInvoice>`],
    ['100,000 brackets', 'xml-malformed', '<'.repeat(100_000)],
    ['100,000 blanks', 'xml-empty', ' '.repeat(100_000)],
    ['an unclosed CDATA', 'xml-malformed', `<EInvoice><![CDATA[${']'.repeat(100_000)}`],
    ['one level too many', 'xml-too-deep', anEInvoice('<a>'.repeat(63) + '</a>'.repeat(63))],
    ['an unclosed DOCTYPE of 100 kB', 'xml-malformed', `<!DOCTYPE EInvoice [${'<!-- '.repeat(20_000)}`],
    ['an entity name of 100 kB', 'xml-malformed', `<EInvoice>&${'n'.repeat(100_000)}`],
    ['a comment full of dashes', 'xml-malformed', `<EInvoice><!--${'- '.repeat(50_000)}`],
  ])('is rejected in linear time: %s', (_what, rule, xml) => expectInLinearTime(xml, [rule]));

  it.each([
    ['many elements', anEInvoice('<a/>'.repeat(100_000))],
    ['many attributes', anEInvoice(`<a ${attributes}/>`)],
    ['many references', anEInvoice('&lt;'.repeat(100_000))],
    ['a CDATA full of brackets', anEInvoice(`<![CDATA[${']'.repeat(100_000)}]]>`)],
    ['an instruction full of question marks', anEInvoice(`<?a ${'? '.repeat(50_000)}?>`)],
    ['the greatest depth', anEInvoice('<a>'.repeat(62) + '</a>'.repeat(62))],
  ])('is accepted in linear time if it is a Fapiao: %s', (_what, xml) => expectInLinearTime(xml, []));

  it('has at most one problem and never throws, whichever bytes of a Fapiao are changed', () => {
    const fapiao = readFileSync('test/fixtures/fapiao.xml');
    const change = fc.tuple(fc.nat(fapiao.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changed) => {
        const bytes = Uint8Array.from(fapiao);
        for (const [index, byte] of changed) bytes[index] = byte;
        const found = problems(bytes);
        expect(found.length).toBeLessThanOrEqual(1);
        for (const { message } of found) expect(message).toMatch(/^[\x20-\x7e]{1,200}$/);
      }),
    );
  });
});
