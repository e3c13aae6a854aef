import { expect, it } from 'vitest';
import { fuzz, kinds } from './fuzz.ts';

it('hostile traffic of every kind ends no process, causes no fault, leaves nothing held, and no honest caller notices', {
  retry: 0,
}, async () => {
  const { findings, sent } = await fuzz((rounds) => rounds === 3 * kinds.length, 1);
  expect(findings).toEqual([]);
  expect(sent).toEqual({ webSocket: 60, framing: 60, multipart: 60, leaving: 60, operation: 3 });
});
