/** What the gateway expects of documents, compared with what they do, in the simulation of a fleet. */
import { describe, expect, it } from 'vitest';
import type { Expected } from '../../bench/simulation/expected.ts';
import { changePace } from '../../bench/simulation/pace.ts';
import { type Course, courses } from '../../bench/simulation/workload.ts';

/** Half of at least a thousand documents have changed by `likelyBy`, and 93 to 99 of 100 by `atLatestBy`. */
function expectToHold({ stays, withExpectation, byLikely, byAtLatest }: Expected): void {
  expect(stays).toBeGreaterThan(1_000);
  expect(withExpectation / stays).toBeGreaterThan(0.9);
  expect(byLikely).toBeGreaterThan(0.48);
  expect(byLikely).toBeLessThan(0.6);
  expect(byAtLatest).toBeGreaterThanOrEqual(0.93);
  expect(byAtLatest).toBeLessThanOrEqual(0.99);
}

const { portal, slow } = courses;
describe('the expected change of a document', () => {
  it('holds ten minutes after a slow course has become that of the portal', async () => {
    const { QUEUED, SUBMITTED } = await changePace(slow, portal, 29);
    expectToHold(QUEUED);
    expectToHold(SUBMITTED);
  });

  it('holds ten minutes after all documents take five times as long', async () => {
    const fiveTimes: Course = (random) => {
      const { queuedMs, submittedMs } = portal(random);
      return { queuedMs: 5 * queuedMs, submittedMs: 5 * submittedMs };
    };
    const { SUBMITTED } = await changePace(portal, fiveTimes, 29);
    expectToHold(SUBMITTED);
  });
});
