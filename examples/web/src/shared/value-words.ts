import type { Text } from '../language/text.ts';
import type { Tone } from './Badge.tsx';

/** The tone and the words of a value of an enum. One that a newer gateway has, and this page does not know, is shown as it is. */
export function wordsOf<Value extends string>(
  known: Readonly<Record<Value, readonly [Tone, Text]>>,
  value: Value,
): readonly [Tone, Text] {
  return Object.hasOwn(known, value) ? known[value] : ['warning', [value, value, value, value]];
}
