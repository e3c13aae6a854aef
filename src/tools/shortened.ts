/** The text, or its beginning and `…`: at most `maxLength` UTF-16 code units, without half of a character. */
export function shortened(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
