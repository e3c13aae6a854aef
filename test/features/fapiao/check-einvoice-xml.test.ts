import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  aHeaderOf,
  anEInvoice,
  children,
  eInvoiceOf,
  problem,
  problems,
  rulesOf,
} from '../../support/einvoice.ts';

describe('checkEInvoiceXml', () => {
  it('accepts a Fapiao as the tax authority writes it', () => {
    expect(problems(readFileSync('test/fixtures/fapiao.xml'))).toEqual([]);
  });

  it.each([
    ['with a byte order mark', `\uFEFF${anEInvoice()}`],
    ['that declares UTF-8 in lower case', `<?xml version="1.0" encoding="utf-8"?>${anEInvoice()}`],
    ['that declares US-ASCII, a subset of UTF-8', `<?xml version="1.0" encoding="US-ASCII"?>${anEInvoice()}`],
    ['with comments and instructions around it', `<!-- a -->\r\n<?b c?>\n${anEInvoice()}\n<!-- d -->\n`],
    ['with attributes named like properties of objects', anEInvoice('<a __proto__="x" constructor="y"/>')],
  ])('accepts a Fapiao %s', (_what, xml) => {
    expect(problems(xml)).toEqual([]);
  });
});

it.each([
  ['a prefix on all elements', '<f:EInvoice xmlns:f="urn:f">', (name: string) => `f:${name}`],
  ['many prefixes', '<中:EInvoice xmlns:中="urn:f">', (name: string) => `p${name.length}:${name}`],
  ['a default namespace', '<EInvoice xmlns="urn:f">', (name: string) => name],
])('a Fapiao with a namespace is accepted: %s', (_what, root, named) => {
  const end = root.split(' ')[0]?.replace('<', '</');
  const content = children.map((name) => `<${named(name)}/>`).join('');
  for (const source of ['xml', 'file'] as const) {
    expect(problems(Buffer.from(`${root}${content}${end}>`), source)).toEqual([]);
  }
});

describe('a further child of the root', () => {
  const message = 'EInvoice should contain no other elements than its five children.';
  const warning = (actual: string) => problem('xml-further-child', message, { actual, severity: 'WARNING' });

  it.each([
    ['at the end', [...children, 'Remark'], 'Remark'],
    ['twice', [...children, 'Remark', 'Remark'], 'Remark, Remark'],
  ])('is a warning: %s', (_where, names, actual) => {
    expect(problems(eInvoiceOf(names))).toEqual([warning(actual)]);
  });

  it('is one warning for any number of them, with short quotes of the first ten names', () => {
    const names = Array.from({ length: 1_001 }, (_, index) => `n${index || 'n'.repeat(1_000)}`);
    const quotes = [`${'n'.repeat(59)}…`, ...names.slice(1, 10)];
    expect(problems(eInvoiceOf([...children, ...names]))).toEqual([warning(quotes.join(', '))]);
  });

  it('is not a warning if there is an error', () => {
    expect(rulesOf(`${eInvoiceOf(['Remark', ...children])}planted`)).toEqual(['xml-malformed']);
  });
});

describe('checkEInvoiceXml', () => {
  it.each(['', ' \r\n\t', '\uFEFF'])('rejects an empty XML: %j', (xml) => {
    expect(problems(xml)).toEqual([problem('xml-empty', 'The XML must not be empty.')]);
  });

  it.each([
    ['UTF-16 with a byte order mark, little-endian', Buffer.from(`\uFEFF${anEInvoice()}`, 'utf16le')],
    ['an overlong slash', aHeaderOf(0xc0, 0xaf)],
    ['UTF-8 cut inside a character', aHeaderOf(0xe7, 0xa5)],
  ])('rejects text that is not UTF-8: %s', (_what, bytes) => {
    expect(problems(bytes)).toEqual([
      problem('xml-encoding', 'The XML must be encoded in UTF-8.', { expected: 'UTF-8' }),
    ]);
  });

  it('rejects text of UTF-16 without a byte order mark as malformed', () => {
    expect(rulesOf(Buffer.from(anEInvoice(), 'utf16le'))).toEqual(['xml-malformed']);
  });

  it.each(['GBK', 'UTF-16', 'iso-8859-1'])(
    'accepts text that declares the encoding %s, with a warning, and checks it',
    (encoding) => {
      const declaration = `<?xml version="1.0" encoding="${encoding}"?>`;
      expect(problems(declaration + anEInvoice())).toMatchObject([
        { rule: 'xml-not-checked', severity: 'WARNING', expected: 'UTF-8', actual: encoding },
      ]);
      expect(problems(`${declaration}<Invoice/>`)).toMatchObject([{ rule: 'xml-root', severity: 'ERROR' }]);
    },
  );

  it.each([
    ['without declarations', '<!DOCTYPE EInvoice>'],
    ['with an external entity', '<!DOCTYPE EInvoice [<!ENTITY e SYSTEM "file:///etc/hostname">]>'],
  ])('rejects a DOCTYPE: %s', (_what, doctype) => {
    expect(problems(doctype + anEInvoice('&e;'))).toEqual([
      problem('xml-doctype', `The XML must not have a DOCTYPE. See line 1, column ${doctype.length}.`),
    ]);
  });

  it.each([
    ['a wrong closing tag', '<EInvoice>\n  <Header></Planted></EInvoice>', 'line 2, column 20'],
    ['an undeclared entity', '<EInvoice>&planted;</EInvoice>', 'line 1, column 19'],
    ['an end before that of the root', '<EInvoice><Header/>'],
    ['a lone line break in a closing tag', '<EInvoice></\nplanted', 'line 2, column 1'],
    ['text after the root', `${anEInvoice()}planted`],
    ['an XML declaration after a space', ` <?xml version="1.0"?>${anEInvoice()}`],
    ['an unclosed DOCTYPE', '<!DOCTYPE planted ['],
  ])(
    'rejects malformed XML, with the line and column from 1: %s',
    (_what, xml, at = 'line 1, column \\d+') => {
      const message = new RegExp(`^The XML must be well-formed\\. See ${at}\\.$`);
      expect(problems(xml)).toEqual([problem('xml-malformed', expect.stringMatching(message))]);
    },
  );

  it.each([
    ['in the second line', '\n<Invoice/>', 'line 2, column 10'],
    ['after CR LF twice', '\r\n\r\n  <Invoice/>', 'line 3, column 12'],
    ['after an emoji, which has two units', '<!-- 😀 --><Invoice/>', 'line 1, column 21'],
    ['after a byte order mark', '\uFEFF<Invoice/>', 'line 1, column 10'],
  ])('states the column of an error in UTF-16 code units: %s', (_where, xml, place) => {
    expect(problems(xml)[0]?.message).toBe(`The root element of the XML must be EInvoice. See ${place}.`);
  });

  it.each([
    ['another', '<Invoice/>', 'Invoice'],
    ['under a prefix', '<a:Invoice xmlns:a="urn:a"/>', 'a:Invoice'],
    ['with a name of 1,000,000 characters', `<${'n'.repeat(1_000_000)}/>`, `${'n'.repeat(59)}…`],
  ])('rejects a root other than EInvoice: %s', (_what, xml, actual) => {
    expect(problems(xml)).toEqual([
      problem('xml-root', `The root element of the XML must be EInvoice. See line 1, column ${xml.length}.`, {
        expected: 'EInvoice',
        actual,
      }),
    ]);
  });

  it.each([
    ['one left out', eInvoiceOf(['Header', 'SellerAuthentication']), 'Header, SellerAuthentication'],
    ['one with a prefix', eInvoiceOf(['a:Header']), 'Header'],
    ['five nested deeper', `<EInvoice><Header>${eInvoiceOf(children)}</Header></EInvoice>`, 'Header'],
  ])('rejects children other than the five: %s', (_what, xml, actual) => {
    expect(problems(xml)).toEqual([
      problem('xml-children', expect.stringMatching(/ in this order\. See line 1, column \d+\.$/), {
        expected: children.join(', '),
        actual,
      }),
    ]);
  });
});

describe('a file in an encoding other than UTF-8', () => {
  const message =
    'The XML declares another encoding than UTF-8: a file is sent without a check of its content, text is sent as UTF-8.';
  const notChecked = (actual: string) => [
    problem('xml-not-checked', message, {
      severity: 'WARNING',
      path: ['document', 'file'],
      expected: 'UTF-8',
      actual,
    }),
  ];
  /** 发票 in GB18030. */
  const gbBytes = [0xb7, 0xa2, 0xc6, 0xb1];
  const declared = (encoding: string, quote = '"', ...bytes: number[]) =>
    Buffer.concat([
      Buffer.from(`<?xml version="1.0" encoding=${quote}${encoding}${quote}?>`),
      aHeaderOf(...bytes),
    ]);

  it.each(['GB18030', 'gb18030', 'Big5', 'US-ASCII', 'x-unknown'])(
    'is a warning when it declares %s, with any content',
    (encoding) => {
      const notAFapiao = `\r\n  <?xml version="1.0"${' '.repeat(5_000)}encoding="${encoding}" standalone="yes"?><Invoice>`;
      const marked = Buffer.from(`\uFEFF${declared(encoding)}`);
      const withoutVersion = Buffer.concat([
        Buffer.from(`<?xml encoding="${encoding}"?>`),
        aHeaderOf(...gbBytes),
      ]);
      for (const file of [
        declared(encoding),
        declared(encoding, "'", ...gbBytes),
        Buffer.from(notAFapiao),
        marked,
        withoutVersion,
      ])
        expect(problems(file, 'file')).toEqual(notChecked(encoding));
    },
  );

  it('is not one whose declaration never ends', () => {
    const file = Buffer.from('<?xml version="1.0" encoding="GBK" standalone=');
    expect(problems(file, 'file')).not.toEqual(notChecked('GBK'));
  });

  it('is a warning when its byte order mark or first characters are UTF-16', () => {
    const xml = `<?xml version="1.0" encoding="UTF-16"?>${anEInvoice()}`;
    for (const text of [`\uFEFF${xml}`, xml]) {
      const bytes = Buffer.from(text, 'utf16le');
      for (const file of [bytes, Buffer.from(bytes).swap16()]) {
        expect(problems(file, 'file')).toEqual(notChecked('UTF-16'));
      }
    }
  });

  it('is a warning when its byte order mark is UTF-32', () => {
    const file = Buffer.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0]);
    expect(problems(file, 'file')).toEqual(notChecked('UTF-32'));
  });

  it('is quoted with at most 60 characters of its declaration', () => {
    expect(problems(declared('x'.repeat(90)), 'file')[0]?.actual).toBe(`${'x'.repeat(59)}…`);
  });

  it.each([
    ['first', '<!DOCTYPE EInvoice [<!ENTITY e SYSTEM "file:///etc/hostname">]>'],
    ['after the shortest comment and instruction', '<!----><?b?><!DOCTYPE EInvoice>'],
    ['after two instructions', '<?b?><?c?><!DOCTYPE EInvoice>'],
    ['after comments and processing instructions', '\r\n<!-- <a> --><?b c?> <!DOCTYPE EInvoice>'],
  ])('is rejected when it has a DOCTYPE %s', (_where, doctype) => {
    const text = (encoding: string) =>
      `<?xml version="1.0" encoding="${encoding}"?>${doctype}${anEInvoice()}`;
    const utf16 = Buffer.from(`\uFEFF${text('UTF-16')}`, 'utf16le');
    for (const file of [Buffer.from(text('GB18030')), utf16, Buffer.from(utf16).swap16()]) {
      expect(problems(file, 'file')).toMatchObject([{ rule: 'xml-doctype', severity: 'ERROR' }]);
    }
  });

  it('is not rejected for a DOCTYPE when it has no element', () => {
    expect(problems(Buffer.from('<?xml version="1.0" encoding="GBK"?>'), 'file')).not.toMatchObject([
      { rule: 'xml-doctype' },
    ]);
  });

  it('is not rejected for the text of a DOCTYPE in comments or CDATA', () => {
    const xml = anEInvoice('<!-- <!DOCTYPE a> --><![CDATA[<!DOCTYPE a>]]>');
    const file = Buffer.from(`<?xml version="1.0" encoding="GBK"?><!-- <!DOCTYPE a> -->${xml}`);
    expect(problems(file, 'file')).toEqual(notChecked('GBK'));
  });

  it('is checked like text when it declares UTF-8 in any spelling, or nothing', () => {
    for (const encoding of ['UTF-8', 'utf8']) {
      expect(problems(declared(encoding), 'file')).toEqual([]);
      expect(problems(declared(encoding, "'", ...gbBytes), 'file')).toMatchObject([{ rule: 'xml-encoding' }]);
    }
    expect(problems(aHeaderOf(...gbBytes), 'file')).toMatchObject([
      { rule: 'xml-encoding', severity: 'ERROR' },
    ]);
    expect(problems('<Invoice/>', 'file')).toMatchObject([{ rule: 'xml-root' }]);
  });
});
