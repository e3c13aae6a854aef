/** Detects the declared encoding of XML from its first bytes (XML 1.0, appendix F). */

/**
 * An XML declaration in an ASCII-compatible encoding, decoded as Latin-1. Blanks before it are not allowed, and the version must not
 * be missing, but both occur.
 */
const declaration = /^(?:\xef\xbb\xbf)?[ \t\r\n]*<\?xml(?=\s)[^>]*?\sencoding\s*=\s*["']([^"'<>]{1,100})["']/;

/** The first bytes, in hexadecimal digits: byte order marks, and `<?` in UTF-16 without one. */
const wideEncodings = [
  ['fffe0000', 'UTF-32'],
  ['fffe', 'UTF-16'],
  ['feff', 'UTF-16'],
  ['3c003f00', 'UTF-16'],
  ['003c003f', 'UTF-16'],
] as const;

/** Returns the declared encoding; undefined when it is UTF-8 or there is none. */
export function otherEncodingOf(bytes: Uint8Array): string | undefined {
  const first = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  for (const [mark, encoding] of wideEncodings) if (first.startsWith(mark)) return encoding;
  const beginning = Buffer.from(bytes.subarray(0, bytes.indexOf(0x3e) + 1)).toString('latin1');
  const encoding = declaration.exec(beginning)?.[1];
  return encoding === undefined || /^utf-?8$/i.test(encoding) ? undefined : encoding;
}

/**
 * Whether there is a DOCTYPE before the root element, the only place where XML allows one. The bytes are not decoded: NULs
 * are removed, which turns UTF-16 into ASCII, and `<!` has one meaning in all ASCII-compatible encodings.
 */
export function hasDoctype(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString('latin1').replaceAll('\0', '');
  let at = text.indexOf('<');
  while (at >= 0) {
    if (text.startsWith('<!--', at)) at = text.indexOf('-->', at + 4);
    else if (text.startsWith('<?', at)) at = text.indexOf('?>', at + 2);
    else return /^<!\s*doctype/i.test(text.slice(at));
    at = at < 0 ? at : text.indexOf('<', at);
  }
  return false;
}
