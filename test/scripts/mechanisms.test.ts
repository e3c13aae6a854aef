/** The benchmark switches mechanisms off by changing the text of their source. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mechanisms } from '../../bench/mechanisms.ts';

const root = join(import.meta.dirname, '../..');

describe('a mechanism for speed', () => {
  it.each(mechanisms)('can be switched off: $label', ({ file, before, after }) => {
    const text = readFileSync(join(root, file), 'utf8');
    expect(text.split(before)).toHaveLength(2);
    expect(after).not.toBe(before);
  });
});
