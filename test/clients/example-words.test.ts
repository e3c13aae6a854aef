/** The example application's own texts, in each language with the same parameters. */
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const files = globSync('examples/web/src/*/words.ts').sort();

/** Words that are the same in two languages. */
const sameAsEnglish = ['Fapiao', 'Mexico', 'Malaysia', 'Error: ', '1 error', 'Import'];

describe.each(files)('the words of %s', (file) => {
  it('are in four languages, with the same parameters', async () => {
    const { words } = (await import(resolve(file))) as { words: Record<string, readonly string[]> };
    for (const [name, texts] of Object.entries(words)) {
      expect([name, texts.length]).toEqual([name, 4]);
      const [english = ''] = texts;
      const params = texts.map((text) => (text.match(/\{\w+\}/g) ?? []).sort().join());
      expect([name, new Set(params).size]).toEqual([name, 1]);
      for (const text of texts.slice(1)) {
        expect(text.trim(), name).not.toBe('');
        if (text === english) expect([name, sameAsEnglish]).toEqual([name, expect.arrayContaining([text])]);
      }
    }
  });
});

it('every view has words', () => expect(files.length).toBeGreaterThan(8));
