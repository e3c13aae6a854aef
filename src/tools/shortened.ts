/** The text, or its beginning and `…`: at most `maxLength` UTF-16 code units, without half of a character. */
export function shortened(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const kept = text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '');
  // A template would keep the whole text in memory.
  return [kept, '…'].join('');
}

/** A text of a caller, such as the name of a member, as far as a message quotes it: 60 characters. */
export function quoted(text: string): string {
  return shortened(text, 60);
}

/** A copy of a short text. A part of a text, such as what `trim` returns, keeps the whole text in memory. */
export function detached(part: string): string {
  return Buffer.from(part).toString();
}
