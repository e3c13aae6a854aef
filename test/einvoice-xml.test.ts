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
const asText = { isFile: false, path };
const asFile = { isFile: true, path: ['document', 'file'] };

describe('a Fapiao', () => {
  it.each(['fapiao.xml', 'fapiao-two-items.xml'])('passes: %s', (file) => {
    expect(checkEInvoiceXml(readFileSync(`test/fixtures/${file}`), asText)).toEqual([]);
  });

  it.each([
    ['with a byte order mark', `\uFEFF${anEInvoice()}`],
    ['that declares its encoding in any case', `<?xml version="1.0" encoding="utf-8"?>${anEInvoice()}`],
    ['that declares its encoding without a hyphen', `<?xml version="1.0" encoding="utf8"?>${anEInvoice()}`],
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

describe('a Fapiao with a namespace', () => {
  it.each([
    ['a prefix on the root', '<f:EInvoice xmlns:f="urn:f">', (name: string) => name],
    ['a prefix on all', '<f:EInvoice xmlns:f="urn:f">', (name: string) => `f:${name}`],
    ['prefixes of many', '<中:EInvoice xmlns:中="urn:f">', (name: string) => `p${name.length}:${name}`],
    ['a default namespace', '<EInvoice xmlns="urn:f">', (name: string) => name],
  ])('passes: %s', (_what, root, named) => {
    const end = root.split(' ')[0]?.replace('<', '</');
    const content = children.map((name) => `<${named(name)}/>`).join('');
    for (const source of [asText, asFile]) {
      expect(checkEInvoiceXml(Buffer.from(`${root}${content}${end}>`), source)).toEqual([]);
    }
  });
});

describe('a further child of the root', () => {
  const warning = (actual: string) => ({
    ...problem('xml-further-child', 'EInvoice holds elements beside its five children.', { actual }),
    severity: 'WARNING',
  });

  it.each([
    ['at the end', [...children, 'Remark'], 'Remark'],
    ['at the beginning', ['Remark', ...children], 'Remark'],
    [
      'between',
      children.flatMap((name) => (name === 'EInvoiceData' ? [name, 'a:SpecMod'] : name)),
      'a:SpecMod',
    ],
    ['of a similar name', [...children, 'header'], 'header'],
    ['twice', [...children, 'Remark', 'Remark'], 'Remark, Remark'],
  ])('is a warning: %s', (_where, names, actual) => {
    expect(problems(eInvoiceOf(names))).toEqual([warning(actual)]);
  });

  it('is one warning for up to 1,000 of them, however long their names are', () => {
    const names = Array.from(
      { length: 1_000 },
      (_, index) => `n${index}${'n'.repeat(index === 0 ? 1_000 : 0)}`,
    );
    const [found, ...others] = problems(eInvoiceOf([...children, ...names]));
    expect(others).toEqual([]);
    expect(found?.actual?.length).toBeLessThan(200);
  });

  it('is no warning beside an error', () => {
    expect(problems(`${eInvoiceOf(['Remark', ...children])}planted`).map(({ rule }) => rule)).toEqual([
      'xml-malformed',
    ]);
  });
});

describe('a file in another encoding than UTF-8', () => {
  const notChecked = (actual: string) => [
    {
      rule: 'xml-not-checked',
      severity: 'WARNING',
      path: asFile.path,
      message: 'The file declares another encoding than UTF-8: it is sent as it is, its content not checked.',
      expected: 'UTF-8',
      actual,
    },
  ];
  /** 发票 in GB18030. */
  const gbBytes = [0xb7, 0xa2, 0xc6, 0xb1];
  const declared = (encoding: string, quote = '"', ...bytes: number[]) =>
    Buffer.concat([
      Buffer.from(`<?xml version="1.0" encoding=${quote}${encoding}${quote}?>`),
      aHeaderOf(...bytes),
    ]);

  it.each([
    'GB18030',
    'gb18030',
    'GBK',
    'GB2312',
    'Big5',
    'ISO-8859-1',
    'windows-1252',
    'US-ASCII',
    'x-unknown',
  ])('that declares %s is a warning, whatever its content', (encoding) => {
    for (const quote of ['"', "'"]) {
      for (const bytes of [[], gbBytes]) {
        const file = declared(encoding, quote, ...bytes);
        expect(checkEInvoiceXml(file, asFile)).toEqual(notChecked(encoding));
      }
    }
    const noFapiao = Buffer.from(`<?xml version="1.0" encoding="${encoding}" standalone="yes"?><Invoice>`);
    expect(checkEInvoiceXml(noFapiao, asFile)).toEqual(notChecked(encoding));
  });

  it('that is UTF-16 by its mark or its first characters is a warning', () => {
    const xml = `<?xml version="1.0" encoding="UTF-16"?>${anEInvoice()}`;
    for (const text of [`\uFEFF${xml}`, xml]) {
      const bytes = Buffer.from(text, 'utf16le');
      for (const file of [bytes, Buffer.from(bytes).swap16()]) {
        expect(checkEInvoiceXml(file, asFile)).toEqual(notChecked('UTF-16'));
      }
    }
  });

  it('has 60 characters of its declaration repeated at most', () => {
    expect(checkEInvoiceXml(declared('x'.repeat(90)), asFile)[0]?.actual).toBe(`${'x'.repeat(60)}…`);
  });

  it.each([
    ['at once', '<!DOCTYPE EInvoice [<!ENTITY e SYSTEM "file:///etc/hostname">]>'],
    ['after comments and instructions', '\r\n<!-- <a> --><?b c?> <!DOCTYPE EInvoice>'],
  ])('is refused where a document type stands %s', (_where, doctype) => {
    const text = (encoding: string) =>
      `<?xml version="1.0" encoding="${encoding}"?>${doctype}${anEInvoice()}`;
    const utf16 = Buffer.from(`\uFEFF${text('UTF-16')}`, 'utf16le');
    for (const file of [Buffer.from(text('GB18030')), utf16, Buffer.from(utf16).swap16()]) {
      expect(checkEInvoiceXml(file, asFile)).toMatchObject([{ rule: 'xml-doctype', severity: 'ERROR' }]);
    }
  });

  it('is not refused for what reads like a document type further on', () => {
    const xml = anEInvoice('<!-- <!DOCTYPE a> --><![CDATA[<!DOCTYPE a>]]>');
    const file = Buffer.from(`<?xml version="1.0" encoding="GBK"?><!-- <!DOCTYPE a> -->${xml}`);
    expect(checkEInvoiceXml(file, asFile)).toEqual(notChecked('GBK'));
  });

  it('is refused where it declares none, or UTF-8', () => {
    const files = [
      aHeaderOf(...gbBytes),
      declared('UTF-8', '"', ...gbBytes),
      declared('utf8', "'", ...gbBytes),
    ];
    for (const file of files) {
      expect(checkEInvoiceXml(file, asFile)).toMatchObject([{ rule: 'xml-encoding', severity: 'ERROR' }]);
    }
  });

  it('that declares UTF-8 in any spelling is checked like text', () => {
    for (const encoding of ['UTF-8', 'utf-8', 'UTF8']) {
      expect(checkEInvoiceXml(declared(encoding), asFile)).toEqual([]);
    }
    expect(checkEInvoiceXml(Buffer.from('<Invoice/>'), asFile)).toMatchObject([{ rule: 'xml-root' }]);
  });

  it('never throws, whatever its bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (bytes, isDeclared) => {
        const file = isDeclared ? declared('GB18030', '"', ...bytes) : Buffer.from(bytes);
        expect(checkEInvoiceXml(file, asFile)).toHaveLength(1);
      }),
      { seed: 8 },
    );
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
    ['UTF-32 with its mark', Buffer.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0])],
    ['GBK', aHeaderOf(0xc7, 0xe0)],
    ['an overlong slash', aHeaderOf(0xc0, 0xaf)],
    ['a surrogate', aHeaderOf(0xed, 0xa0, 0x80)],
    ['a code point beyond Unicode', aHeaderOf(0xf4, 0x90, 0x80, 0x80)],
    ['a continuation without a beginning', aHeaderOf(0x80)],
    ['UTF-8 cut inside a character', aHeaderOf(0xe7, 0xa5)],
  ])('is not encoded in UTF-8: %s', (_what, bytes) => {
    expect(checkEInvoiceXml(bytes, asText)).toEqual([
      problem('xml-encoding', 'The XML must be encoded in UTF-8.', { expected: 'UTF-8' }),
    ]);
  });

  it('is UTF-16 without a mark, which reads as XML full of NULs', () => {
    const utf16 = Buffer.from(anEInvoice(), 'utf16le');
    for (const bytes of [utf16, Buffer.from(utf16).swap16()]) {
      expect(checkEInvoiceXml(bytes, asText).map(({ rule }) => rule)).toEqual(['xml-malformed']);
    }
  });

  it.each(['GBK', 'GB18030', 'Big5', 'UTF-16', 'UTF-7', 'US-ASCII', 'iso-8859-1'])(
    'declares another encoding: %s',
    (encoding) => {
      expect(problems(`<?xml version="1.0" encoding="${encoding}"?>${anEInvoice()}`)).toEqual([
        problem('xml-encoding', expect.stringMatching(/at line 1, column \d+\.$/), {
          expected: 'UTF-8',
          actual: encoding,
        }),
      ]);
    },
  );

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
    ['an element that another closes', '<EInvoice>\n  <Header></Planted></EInvoice>', 'line 2, column 20'],
    ['an element that never closes', '<EInvoice>\n<Header>planted', 'line 2, column 15'],
    ['a bracket that opens no element', '<EInvoice><<', 'line 1, column 12'],
    ['a NUL', '<EInvoice>\u0000', 'line 1, column 11'],
    ['an entity that nothing declares', '<EInvoice>&planted;</EInvoice>', 'line 1, column 19'],
    ['the same attribute twice', '<EInvoice a="1" a="2">', 'line 1, column 22'],
    ['a character that XML does not have', '<EInvoice>\u0001', 'line 1, column 11'],
    ['a reference to NUL', '<EInvoice>&#0;</EInvoice>', /line 1, column \d+/],
    ['a bare ampersand', '<EInvoice>A & B</EInvoice>', /line 1, column \d+/],
    ['an attribute without quotes', '<EInvoice a=planted>', /line 1, column \d+/],
    ['a document type inside the root', '<EInvoice><!DOCTYPE planted>', /line 1, column \d+/],
    ['an entity declared inside the root', '<EInvoice><!ENTITY a "planted">', /line 1, column \d+/],
    ['text after the root', `${anEInvoice()}planted`, /line 1, column \d+/],
    ['a NUL after the root', `${anEInvoice()}\u0000`, /line 1, column \d+/],
    ['a NUL alone', '\u0000', /line 1, column \d+/],
    ['a second Fapiao', anEInvoice() + anEInvoice(), /line 1, column \d+/],
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
    ['in the second line', '\n<Invoice/>', 'line 2, column 10'],
    ['after CR LF twice', '\r\n\r\n  <Invoice/>', 'line 3, column 12'],
    ['after Chinese', '<!-- 发票 --><Invoice/>', 'line 1, column 21'],
    ['after an emoji, which counts two', '<!-- 😀 --><Invoice/>', 'line 1, column 21'],
    ['after a byte order mark', '\uFEFF<Invoice/>', 'line 1, column 10'],
  ])('is told its place, counted in UTF-16 units: %s', (_where, xml, place) => {
    expect(problems(xml)[0]?.message).toBe(`The root element at ${place} is no EInvoice.`);
  });

  it('is not well-formed wherever a Fapiao is cut short', () => {
    const fapiao = readFileSync('test/fixtures/fapiao.xml', 'utf8').trimEnd();
    fc.assert(
      fc.property(fc.integer({ min: 1, max: fapiao.length - 1 }), (length) => {
        expect(problems(fapiao.slice(0, length)).map(({ rule }) => rule)).toEqual(['xml-malformed']);
      }),
    );
  });

  it.each([
    ['another', '<Invoice/>', 'Invoice'],
    ['in another case', '<einvoice/>', 'einvoice'],
    ['under a prefix', '<a:Invoice xmlns:a="urn:a"/>', 'a:Invoice'],
    ['under two prefixes', '<a:b:EInvoice/>', 'a:b:EInvoice'],
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
    ['one more of them', eInvoiceOf([...children, 'Header']), [...children, 'Header'].join(', ')],
    ['one with a prefix', eInvoiceOf(['a:Header']), 'Header'],
    ['another of endless length', eInvoiceOf(['n'.repeat(1_000_000)]), 'none'],
    ['four, and another', eInvoiceOf([...children.slice(0, 4), 'Remark']), children.slice(0, 4).join(', ')],
  ])('has other children than the five: %s', (_what, xml, actual) => {
    expect(problems(xml)).toEqual([
      problem('xml-children', expect.stringMatching(/ at line 1, column \d+\.$/), {
        expected: children.join(', '),
        actual,
      }),
    ]);
  });

  it.each(children)('has other children than the five: %s left out, twice, or deeper', (child) => {
    const rules = (names: readonly string[]) => problems(eInvoiceOf(names)).map(({ rule }) => rule);
    expect(rules(children.filter((name) => name !== child))).toEqual(['xml-children']);
    expect(rules(children.flatMap((name) => (name === child ? [name, name] : name)))).toEqual([
      'xml-children',
    ]);
    expect(problems(`<EInvoice><Header>${eInvoiceOf(children)}</Header></EInvoice>`)[0]?.rule).toBe(
      'xml-children',
    );
  });

  it('has other children than the five in any order but theirs', () => {
    const anOrder = fc
      .array(fc.constantFrom(...children, 'Remark'), { maxLength: 8 })
      .filter((names) => names.filter((name) => name !== 'Remark').join() !== children.join());
    fc.assert(
      fc.property(anOrder, (names) => {
        expect(problems(eInvoiceOf(names)).map(({ rule }) => rule)).toEqual(['xml-children']);
      }),
    );
  });
});

describe('an XML made to harm', () => {
  const aLongEntity = `<!DOCTYPE EInvoice [<!ENTITY a "${'a'.repeat(100_000)}">]>`;
  const laughs = Array.from({ length: 40 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join(
    '',
  );

  it.each([
    ['a billion laughs', 'xml-doctype', `<!DOCTYPE EInvoice [${laughs}]>${anEInvoice('&l40;')}`],
    ['a long entity used often', 'xml-doctype', `${aLongEntity}${anEInvoice('&a;'.repeat(100_000))}`],
    ['100,000 levels', 'xml-too-deep', anEInvoice('<a>'.repeat(100_000) + '</a>'.repeat(100_000))],
    ['100,000 levels that never close', 'xml-too-deep', `<EInvoice><Header>${'<a>'.repeat(100_000)}`],
    ['1,000,000 children', 'xml-children', `<EInvoice>${'<a/>'.repeat(1_000_000)}`],
    ['1,000,000 brackets', 'xml-malformed', '<'.repeat(1_000_000)],
    ['1,000,000 NULs', 'xml-malformed', '\u0000'.repeat(1_000_000)],
    ['1,000,000 blanks', 'xml-empty', ' '.repeat(1_000_000)],
    ['a CDATA that never ends', 'xml-malformed', `<EInvoice><![CDATA[${']'.repeat(1_000_000)}`],
    ['one level too many', 'xml-too-deep', anEInvoice('<a>'.repeat(63) + '</a>'.repeat(63))],
    ['a document type without end', 'xml-malformed', `<!DOCTYPE EInvoice [${'<!-- '.repeat(200_000)}`],
    ['an entity name without end', 'xml-malformed', `<EInvoice>&${'n'.repeat(1_000_000)}`],
    ['a comment full of dashes', 'xml-malformed', `<EInvoice><!--${'- '.repeat(500_000)}`],
  ])('is refused within a second: %s', { timeout: 1_000 }, (_what, rule, xml) => {
    expect(problems(xml).map((found) => found.rule)).toEqual([rule]);
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
  ])('is read within a second where it is a Fapiao: %s', { timeout: 1_000 }, (_what, xml) => {
    expect(problems(xml)).toEqual([]);
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
        const found = checkEInvoiceXml(bytes, asText);
        expect(found.length).toBeLessThanOrEqual(1);
        for (const { message } of found) expect(message).toMatch(/^[\x20-\x7e]{1,120}$/);
      }),
    );
  });

  it('never throws for bytes of any kind', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(checkEInvoiceXml(bytes, asText)).toHaveLength(1);
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

/** A Fapiao with these bytes in its header. */
function aHeaderOf(...bytes: number[]): Buffer {
  const [before = '', after = ''] = anEInvoice('|').split('|');
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
}

function problems(xml: string) {
  return checkEInvoiceXml(Buffer.from(xml), asText);
}

function problem(rule: string, message: string, details: { expected?: string; actual?: string } = {}) {
  return { rule, severity: 'ERROR', path, message, ...details };
}
