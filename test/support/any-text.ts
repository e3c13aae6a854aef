/** Texts that a program between a caller and the service may change or misread. */
import { fc } from './fast-check.ts';

const blanks = ['', ' ', ' a ', '\t', 'a\r\nb', 'a\0b', '\u0085', '\u2028', '\ufeffa', 'a\u200fb', '\u202ea'];
const words = 'é e\u0301 １２ 发票 😀 %41 null "\\/'.split(' ');
const halves = ['\ud800', 'a\udc00b'];
/** Any character, as the unit `binary` of fast-check, whose table of them takes a second of CPU time. */
const character = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));

/** These and any other text. `more`: those that what is tested may misread besides. */
export function anyText(...more: readonly string[]): fc.Arbitrary<string> {
  const known = fc.constantFrom(...blanks, ...words, ...halves, ...more);
  return fc.oneof(known, fc.string({ unit: character, maxLength: 20 }));
}
