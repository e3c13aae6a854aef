/** The simulation of a fleet (`npm run simulate`) in one small run each. */

import { describe, expect, it } from 'vitest';
import { type Scenario, simulate } from '../../bench/simulation/simulation.ts';

const scenario: Scenario = {
  seed: 16,
  documents: 200,
  gateways: 2,
  isFleet: true,
  copies: 2,
  callers: 20,
  course: 'portal',
  capacity: 10_000,
  budget: 10_000,
  hasFleetBudget: false,
  bounds: { pollMinMs: 2_000, pollMaxMs: 30_000 },
  isAdaptive: false,
  hours: [9, 11],
  hourMs: 60_000,
};

describe('the simulation of a fleet', () => {
  it('gives the same results for the same seed, and others for another', async () => {
    const small = { ...scenario, documents: 10 };
    const [first, second] = [await simulate(small), await simulate(small)];
    expect({ ...first, cpuSeconds: 0 }).toEqual({ ...second, cpuSeconds: 0 });
    expect((await simulate({ ...small, seed: 17 })).events).not.toBe(first.events);
  });

  it('reports every change of 500 documents', async () => {
    const first = await simulate(scenario);
    expect(first.documents).toBeGreaterThan(500);
    // Both gateways receive both changes of a document, apart from those still in progress.
    expect(first.all.count).toBeGreaterThan(3 * first.documents);
    expect(first.all.count).toBeLessThanOrEqual(4 * first.documents);
    expect(first.all.p99Ms).toBeLessThanOrEqual(33_000);
    expect(first.refused).toBe(0);
  });

  it('refuses what exceeds the capacity of the service, and loses no document', async () => {
    const full = await simulate({ ...scenario, copies: 1, capacity: 25 });
    expect(full.refused).toBeGreaterThan(0.01);
    expect(full.pollsPerSecond * (1 - full.refused)).toBeLessThanOrEqual(25.5);
    expect(full.all.count).toBeGreaterThan(full.documents);
  });

  it('delays the caller with the most documents first when the budget is short', async () => {
    const short = await simulate({ ...scenario, documents: 400, copies: 1, gateways: 1, budget: 20 });
    expect(short.pollsPerSecond).toBeLessThanOrEqual(20.5);
    expect(short.lag.p99Ms).toBeGreaterThan(1_000);
    expect(short.fairness).toBeGreaterThan(0.9);
  });
});
