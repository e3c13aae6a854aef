/** Decodes percent-encoding; a `%` without two hexadecimal digits is kept. `text`: of characters up to U+00FF. */
export function percentDecoded(text: string): Buffer {
  const bytes = text.replace(/%([\da-f]{2})/gi, (_match, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return Buffer.from(bytes, 'latin1');
}
