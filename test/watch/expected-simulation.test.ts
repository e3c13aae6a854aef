/** What the gateway expects of documents, compared with what they do, in the simulation of a fleet. */
import { describe, expect, it } from 'vitest';
import type { Expected } from '../../bench/simulation/expected.ts';
import { changePace, inventCourse } from '../../bench/simulation/pace.ts';
import { type CourseName, courses } from '../../bench/simulation/workload.ts';

/** Half of at least a thousand documents have changed by `likelyBy`, and 90 to 97 of 100 by `atLatestBy`. */
function expectToHold({ stays, withExpectation, byLikely, byAtLatest }: Expected): void {
  expect(stays).toBeGreaterThan(1_000);
  expect(withExpectation / stays).toBeGreaterThan(0.9);
  expect(byLikely).toBeGreaterThan(0.45);
  expect(byLikely).toBeLessThan(0.57);
  expect(byAtLatest).toBeGreaterThanOrEqual(0.9);
  expect(byAtLatest).toBeLessThanOrEqual(0.97);
}

describe('the expected change of a document', () => {
  it.each(Object.keys(courses) as CourseName[])('holds for documents with the course %s', async (name) => {
    const { QUEUED, SUBMITTED } = await changePace(courses[name], courses[name], 29);
    expectToHold(QUEUED);
    expectToHold(SUBMITTED);
  });

  it.each<[CourseName, CourseName]>([
    ['portal', 'slow'],
    ['slow', 'portal'],
    ['portal', 'broad'],
    ['broad', 'batch'],
    ['batch', 'memoryless'],
    ['memoryless', 'slow'],
  ])('holds ten minutes after the course %s has become %s', async (before, after) => {
    const { QUEUED, SUBMITTED } = await changePace(courses[before], courses[after], 29);
    expectToHold(QUEUED);
    expectToHold(SUBMITTED);
  });

  it.each(Array.from({ length: 8 }, (_, index) => 2_900 + index))(
    'holds ten minutes after one invented course has become another (seed %i)',
    async (seed) => {
      const [before, after] = [inventCourse(`before ${seed}`), inventCourse(`after ${seed}`)];
      const { QUEUED, SUBMITTED } = await changePace(before, after, seed);
      expectToHold(QUEUED);
      expectToHold(SUBMITTED);
    },
  );

  it('holds ten minutes after all documents take five times as long', async () => {
    const { SUBMITTED } = await changePace(
      courses.portal,
      (random) => {
        const { queuedMs, submittedMs } = courses.portal(random);
        return { queuedMs: 5 * queuedMs, submittedMs: 5 * submittedMs };
      },
      29,
    );
    expectToHold(SUBMITTED);
  });

  it('does not hold right after the portal has become slower, which the comparison shows', async () => {
    const { SUBMITTED } = await changePace(courses.portal, courses.slow, 29, 0);
    expect(SUBMITTED.byAtLatest).toBeLessThan(0.9);
  });
});
