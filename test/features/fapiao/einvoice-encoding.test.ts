import { describe, expect, it } from 'vitest';
import { aHeaderOf, anEInvoice, asFile, problem, problems } from '../../support/einvoice.ts';

describe('a file in an encoding other than UTF-8', () => {
  const message =
    'The XML declares another encoding than UTF-8: a file is sent without a check of its content, text is sent as UTF-8.';
  const notChecked = (actual: string) => [
    problem('xml-not-checked', message, {
      severity: 'WARNING',
      path: asFile.path,
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
      for (const file of [declared(encoding), declared(encoding, "'", ...gbBytes), Buffer.from(notAFapiao)])
        expect(problems(file, asFile)).toEqual(notChecked(encoding));
    },
  );

  it('is a warning when its byte order mark or first characters are UTF-16', () => {
    const xml = `<?xml version="1.0" encoding="UTF-16"?>${anEInvoice()}`;
    for (const text of [`\uFEFF${xml}`, xml]) {
      const bytes = Buffer.from(text, 'utf16le');
      for (const file of [bytes, Buffer.from(bytes).swap16()]) {
        expect(problems(file, asFile)).toEqual(notChecked('UTF-16'));
      }
    }
  });

  it('is a warning when its byte order mark is UTF-32', () => {
    const file = Buffer.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0]);
    expect(problems(file, asFile)).toEqual(notChecked('UTF-32'));
  });

  it('is quoted with at most 60 characters of its declaration', () => {
    expect(problems(declared('x'.repeat(90)), asFile)[0]?.actual).toBe(`${'x'.repeat(59)}…`);
  });

  it.each([
    ['first', '<!DOCTYPE EInvoice [<!ENTITY e SYSTEM "file:///etc/hostname">]>'],
    ['after the shortest comment and instruction', '<!----><?b?><!DOCTYPE EInvoice>'],
    ['after comments and processing instructions', '\r\n<!-- <a> --><?b c?> <!DOCTYPE EInvoice>'],
  ])('is rejected when it has a DOCTYPE %s', (_where, doctype) => {
    const text = (encoding: string) =>
      `<?xml version="1.0" encoding="${encoding}"?>${doctype}${anEInvoice()}`;
    const utf16 = Buffer.from(`\uFEFF${text('UTF-16')}`, 'utf16le');
    for (const file of [Buffer.from(text('GB18030')), utf16, Buffer.from(utf16).swap16()]) {
      expect(problems(file, asFile)).toMatchObject([{ rule: 'xml-doctype', severity: 'ERROR' }]);
    }
  });

  it('is not rejected for the text of a DOCTYPE in comments or CDATA', () => {
    const xml = anEInvoice('<!-- <!DOCTYPE a> --><![CDATA[<!DOCTYPE a>]]>');
    const file = Buffer.from(`<?xml version="1.0" encoding="GBK"?><!-- <!DOCTYPE a> -->${xml}`);
    expect(problems(file, asFile)).toEqual(notChecked('GBK'));
  });

  it('is checked like text when it declares UTF-8 in any spelling, or nothing', () => {
    for (const encoding of ['UTF-8', 'utf8']) {
      expect(problems(declared(encoding), asFile)).toEqual([]);
      expect(problems(declared(encoding, "'", ...gbBytes), asFile)).toMatchObject([{ rule: 'xml-encoding' }]);
    }
    expect(problems(aHeaderOf(...gbBytes), asFile)).toMatchObject([
      { rule: 'xml-encoding', severity: 'ERROR' },
    ]);
    expect(problems('<Invoice/>', asFile)).toMatchObject([{ rule: 'xml-root' }]);
  });
});
