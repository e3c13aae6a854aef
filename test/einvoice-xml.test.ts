import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkEInvoiceXml } from '../src/fapiao/einvoice-xml.ts';

const children = [
  'Header',
  'EInvoiceData',
  'SellerAuthentication',
  'TaxSupervisionInfo',
  'TaxBureauSignature',
];
const path = ['document', 'xml'];

describe('a Fapiao', () => {
  it.each(['fapiao.xml', 'fapiao-two-items.xml'])('passes: %s', (file) => {
    expect(checkEInvoiceXml(readFileSync(`test/fixtures/${file}`), path)).toEqual([]);
  });

  it.each([
    ['with a byte order mark', `\uFEFF${anEInvoice()}`],
    ['that declares its encoding in any case', `<?xml version="1.0" encoding="utf-8"?>${anEInvoice()}`],
    ['that declares a version alone', `<?xml version="1.0"?>${anEInvoice()}`],
    [
      'with comments, instructions and line breaks around',
      `<!-- a -->\r\n<?b c?>\n${anEInvoice()}\n<!-- d -->\n`,
    ],
    ['with the entities that XML itself has', anEInvoice('<a b="&lt;">&amp;&#x53d1;</a>')],
    ['with elements that the interface does not name', anEInvoice('<Remark/><SpecMod/>')],
    [
      'with an attribute named like a member of every object',
      anEInvoice('<a __proto__="x" constructor="y"/>'),
    ],
  ])('passes %s', (_what, xml) => {
    expect(problems(xml)).toEqual([]);
  });
});

describe('an XML that is no Fapiao', () => {
  it.each(['', ' \r\n\t', '\uFEFF'])('is empty', (xml) => {
    expect(problems(xml)).toEqual([problem('xml-empty', 'The XML is empty.')]);
  });

  it.each([
    ['UTF-16 with its mark, little end first', Buffer.from(`\uFEFF${anEInvoice()}`, 'utf16le')],
    ['UTF-16 with its mark, big end first', Buffer.from(`\uFEFF${anEInvoice()}`, 'utf16le').swap16()],
    ['bytes that are no UTF-8', Buffer.from(anEInvoice('é'), 'latin1')],
    ['UTF-8 cut inside a character', Buffer.from(anEInvoice('票')).subarray(0, -115)],
  ])('is not encoded in UTF-8: %s', (_what, bytes) => {
    expect(checkEInvoiceXml(bytes, path)).toEqual([
      problem('xml-encoding', 'The XML must be encoded in UTF-8.', { expected: 'UTF-8' }),
    ]);
  });

  it.each(['GBK', 'UTF-16', 'iso-8859-1'])('declares another encoding: %s', (encoding) => {
    expect(problems(`<?xml version="1.0" encoding="${encoding}"?>${anEInvoice()}`)).toEqual([
      problem('xml-encoding', expect.stringMatching(/at line 1, column \d+\.$/), {
        expected: 'UTF-8',
        actual: encoding,
      }),
    ]);
  });

  it.each([
    ['a bare one', '<!DOCTYPE EInvoice>'],
    ['an external one', '<!DOCTYPE EInvoice SYSTEM "http://127.0.0.1:1/e.dtd">'],
    ['one with an external entity', '<!DOCTYPE EInvoice [<!ENTITY e SYSTEM "file:///etc/hostname">]>'],
    ['one with a parameter entity', '<!DOCTYPE EInvoice [<!ENTITY % p SYSTEM "http://127.0.0.1:1/"> %p;]>'],
  ])('has a document type: %s', (_what, doctype) => {
    expect(problems(doctype + anEInvoice('&e;'))).toEqual([
      problem('xml-doctype', expect.stringContaining(`at line 1, column ${doctype.length}:`)),
    ]);
  });

  it.each([
    ['an element that another closes', '<EInvoice>\n  <Header></Planted></EInvoice>', 'line 2, column 21'],
    ['an element that never closes', '<EInvoice>\n<Header>planted', 'line 2, column 15'],
    ['a bracket that opens no element', '<EInvoice><<', 'line 1, column 12'],
    ['a NUL', '<EInvoice>\u0000', 'line 1, column 11'],
    ['an entity that nothing declares', '<EInvoice>&planted;</EInvoice>', 'line 1, column 19'],
    ['the same attribute twice', '<EInvoice a="1" a="2">', 'line 1, column 22'],
    ['a second root', `${anEInvoice()}<Planted/>`, /line 1, column \d+/],
    ['a declaration that comes late', ` <?xml version="1.0"?>${anEInvoice()}`, /line 1, column \d+/],
    ['no element', 'planted', /line 1, column \d+/],
    ['a document type without its end', '<!DOCTYPE planted [', /line 1, column \d+/],
    ['a lone line break in a closing tag', '<EInvoice></\nplanted', 'line 2, column 1'],
  ])('is not well-formed, at a line and column that count from one: %s', (_what, xml, position) => {
    const at = typeof position === 'string' ? position : position.source;
    expect(problems(xml)).toEqual([
      problem('xml-malformed', expect.stringMatching(new RegExp(`^The XML is not well-formed at ${at}\\.$`))),
    ]);
  });

  it.each([
    ['another', '<Invoice/>', 'Invoice'],
    ['in another case', '<einvoice/>', 'einvoice'],
    ['with a prefix', '<a:EInvoice xmlns:a="urn:a"/>', 'a:EInvoice'],
    ['of endless length', `<${'n'.repeat(1_000_000)}/>`, `${'n'.repeat(60)}…`],
  ])('has a root that is no EInvoice: %s', (_what, xml, actual) => {
    expect(problems(xml)).toEqual([
      problem('xml-root', `The root element at line 1, column ${xml.length} is no EInvoice.`, {
        expected: 'EInvoice',
        actual,
      }),
    ]);
  });

  it.each([
    ['none', '<EInvoice/>', 'none'],
    ['one left out', eInvoiceOf(['Header', 'SellerAuthentication']), 'Header, SellerAuthentication'],
    ['the last left out', eInvoiceOf(children.slice(0, 4)), children.slice(0, 4).join(', ')],
    ['one twice', eInvoiceOf(['Header', 'Header']), 'Header, Header'],
    ['one more', eInvoiceOf([...children, 'Remark']), [...children, 'Remark'].join(', ')],
    ['one with a prefix', eInvoiceOf(['a:Header']), 'a:Header'],
    ['one of endless length', eInvoiceOf(['n'.repeat(1_000_000)]), `${'n'.repeat(60)}…`],
  ])('has other children than the five: %s', (_what, xml, actual) => {
    expect(problems(xml)).toEqual([
      problem('xml-children', expect.stringMatching(/ at line 1, column \d+\.$/), {
        expected: children.join(', '),
        actual,
      }),
    ]);
  });

  it('has other children than the five in any order but theirs', () => {
    const anOrder = fc
      .array(fc.constantFrom(...children, 'Remark'), { maxLength: 8 })
      .filter((names) => names.join() !== children.join());
    fc.assert(
      fc.property(anOrder, (names) => {
        expect(problems(eInvoiceOf(names)).map(({ rule }) => rule)).toEqual(['xml-children']);
      }),
    );
  });
});

describe('an XML made to harm', () => {
  const laughs = Array.from({ length: 40 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join(
    '',
  );

  it.each([
    ['a billion laughs', 'xml-doctype', `<!DOCTYPE EInvoice [${laughs}]>${anEInvoice('&l40;')}`],
    ['100,000 levels', 'xml-too-deep', `<EInvoice><Header>${'<a>'.repeat(100_000)}`],
    ['one level too many', 'xml-too-deep', anEInvoice('<a>'.repeat(63) + '</a>'.repeat(63))],
    ['a document type without end', 'xml-malformed', `<!DOCTYPE EInvoice [${'<!-- '.repeat(200_000)}`],
    ['an entity name without end', 'xml-malformed', `<EInvoice>&${'n'.repeat(1_000_000)}`],
    ['a comment full of dashes', 'xml-malformed', `<EInvoice><!--${'- '.repeat(500_000)}`],
  ])('is refused at once: %s', (_what, rule, xml) => {
    const start = performance.now();
    expect(problems(xml).map((found) => found.rule)).toEqual([rule]);
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it.each([
    ['many elements', anEInvoice('<a/>'.repeat(250_000))],
    [
      'many attributes',
      anEInvoice(`<a ${Array.from({ length: 60_000 }, (_, n) => `a${n}="1"`).join(' ')}/>`),
    ],
    ['many references', anEInvoice('&lt;'.repeat(250_000))],
    ['a CDATA full of brackets', anEInvoice(`<![CDATA[${']'.repeat(1_000_000)}]]>`)],
    ['an instruction full of question marks', anEInvoice(`<?a ${'? '.repeat(500_000)}?>`)],
    ['as deep as may be', anEInvoice('<a>'.repeat(62) + '</a>'.repeat(62))],
  ])('is read in time where it is a Fapiao: %s', (_what, xml) => {
    const start = performance.now();
    expect(problems(xml)).toEqual([]);
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it('has one problem at most, and never throws, whichever bytes of a Fapiao are changed', () => {
    const fapiao = readFileSync('test/fixtures/fapiao.xml');
    const changes = fc.array(fc.tuple(fc.nat(fapiao.length - 1), fc.nat(255)), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(changes, (changed) => {
        const bytes = Uint8Array.from(fapiao);
        for (const [index, byte] of changed) bytes[index] = byte;
        const found = checkEInvoiceXml(bytes, path);
        expect(found.length).toBeLessThanOrEqual(1);
        for (const { message } of found) expect(message).toMatch(/^[\x20-\x7e]{1,120}$/);
      }),
    );
  });

  it('never throws for bytes of any kind', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(checkEInvoiceXml(bytes, path)).toHaveLength(1);
      }),
    );
  });
});

function eInvoiceOf(names: readonly string[]): string {
  return `<EInvoice>${names.map((name) => `<${name}/>`).join('')}</EInvoice>`;
}

/** The smallest Fapiao, `content` in its header. */
function anEInvoice(content = ''): string {
  return eInvoiceOf(children).replace('<Header/>', () => `<Header>${content}</Header>`);
}

function problems(xml: string) {
  return checkEInvoiceXml(Buffer.from(xml), path);
}

function problem(rule: string, message: string, details: { expected?: string; actual?: string } = {}) {
  return { rule, severity: 'ERROR', path, message, ...details };
}
