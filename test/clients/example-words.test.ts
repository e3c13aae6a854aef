/** The example application's own texts, in each language with the same parameters. */
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Wait, waitOf } from '../../examples/web/src/malaysia/expected.ts';

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

/** The words and the bar with which the example application shows how long a document usually waits. */
const since = '2026-01-31T08:00:00.000Z';
const inSeconds = (seconds: number) => new Date(Date.parse(since) + 1_000 * seconds).toISOString();

function aStatus(members: object = {}) {
  const expected = { likelyBy: inSeconds(39.2), atLatestBy: inSeconds(112) };
  return { state: 'SUBMITTED', observedAt: since, isDelayed: false, since, expected, ...members };
}

/** The wait with its text in English. */
function inEnglish(wait: Wait | null) {
  if (!wait) return null;
  const { text, time, ...rest } = wait;
  const spoken = `${time.count} ${time.unit}${time.count === 1 ? '' : 's'}`;
  return { ...rest, text: text[0].replace('{time}', spoken) };
}

describe('the wait of a document', () => {
  it.each([
    [19.6, 25, 'Usually decided in 40 seconds'],
    [39.2, 50, 'Usually decided in 40 seconds'],
    [75.6, 72, 'Usually decided within 115 seconds'],
    [112, 95, 'Usually decided within 115 seconds'],
    [112.1, 95, 'Takes longer than usual: 19 of 20 documents are decided within 115 seconds'],
  ])('after %d seconds is at %d %%: %s', (seconds, percent, text) => {
    expect(inEnglish(waitOf(aStatus(), 1_000 * seconds))).toEqual({ percent, text, isLate: seconds > 112 });
  });

  it('counts from when the state was seen, by the clock of the gateway', () => {
    const late = aStatus({ observedAt: inSeconds(100) });
    expect(waitOf(late, 11_000)).toMatchObject({ isLate: false });
    expect(waitOf(late, 13_000)).toMatchObject({ isLate: true });
    expect(waitOf(aStatus({ observedAt: inSeconds(-1) }), 0)).toMatchObject({ percent: 0 });
  });

  it.each([
    [0.4, 0.4, 'Usually submitted in 1 second'],
    [21, 60, 'Usually submitted in 25 seconds'],
    [116, 700, 'Usually submitted in 2 minutes'],
    [7_141, 9_000, 'Usually submitted in 2 hours'],
  ])('of %d seconds has a text that is not shorter', (likely, atLatest, text) => {
    const expected = { likelyBy: inSeconds(likely), atLatestBy: inSeconds(atLatest) };
    expect(inEnglish(waitOf(aStatus({ state: 'QUEUED', expected }), 0))?.text).toBe(text);
  });

  it.each([
    ['a final state', { state: 'VALIDATED' }],
    ['an unknown state', { state: 'UNKNOWN' }],
    ['a state of which too few documents were seen', { expected: null }],
    ['a status that is not watched', { since: null }],
    ['a status while the service does not respond', { isDelayed: true }],
  ])('is not shown for %s', (_what, members) => {
    expect(waitOf(aStatus(members), 0)).toBeNull();
  });
});
