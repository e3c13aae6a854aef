/** Detects the declared encoding of XML from its first bytes (XML 1.0, appendix F). */

/** An XML declaration in an ASCII-compatible encoding, decoded as Latin-1. Blanks before it are not allowed, but occur. */
const declaration = /^(?:\xef\xbb\xbf)?[ \t\r\n]*<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"'<>]{1,100})["']/;

/** Returns the declared encoding; undefined when it is UTF-8 or there is none. */
export function otherEncodingOf(bytes: Uint8Array): string | undefined {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe && third === 0 && fourth === 0) return 'UTF-32';
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return 'UTF-16';
  // `<?` in UTF-16 without a byte order mark.
  if (first === 0x3c && second === 0 && third === 0x3f && fourth === 0) return 'UTF-16';
  if (first === 0 && second === 0x3c && third === 0 && fourth === 0x3f) return 'UTF-16';
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
    else return /^<!\s*doctype/i.test(text.slice(at, at + 100));
    at = at < 0 ? at : text.indexOf('<', at);
  }
  return false;
}
