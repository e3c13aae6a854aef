import { expect, it } from 'vitest';
import { fuzz } from './fuzz.ts';

it('fifteen seconds of hostile traffic end no process, cause no fault, leave nothing held, and no honest caller notices', {
  retry: 0,
}, async () => {
  const { findings, sent } = await fuzz(15, 1);
  expect(findings).toEqual([]);
  expect(Object.values(sent).reduce((sum, number) => sum + number, 0)).toBeGreaterThan(20);
});
