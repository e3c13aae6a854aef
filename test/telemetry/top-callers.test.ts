import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTopCallers } from '../../src/telemetry/top-callers.ts';
import { fc } from '../support/fast-check.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const aMinuteLater = () => vi.advanceTimersByTime(60_000);

describe('the heaviest callers', () => {
  it('are those of the last full minute, the heaviest first, and of each use apart', () => {
    const callers = createTopCallers();
    callers.add('operations', 'a', 1);
    callers.add('operations', 'b', 2);
    callers.add('bytes', 'a', 5_000);
    expect(callers.read()).toEqual([]);
    aMinuteLater();
    expect(callers.read()).toEqual([
      ['operations', 'b', 2],
      ['operations', 'a', 1],
      ['bytes', 'a', 5_000],
    ]);
    aMinuteLater();
    expect(callers.read()).toEqual([]);
  });

  it('are none when nothing was counted in the last full minute, whatever was counted before', () => {
    const callers = createTopCallers();
    callers.add('operations', 'a', 1);
    vi.advanceTimersByTime(119_999);
    expect(callers.read()).toEqual([['operations', 'a', 1]]);
    callers.add('operations', 'b', 1);
    vi.advanceTimersByTime(60_001);
    expect(callers.read()).toEqual([]);
  });

  it('include every caller with more than a two-hundredth of all, whatever other callers come, and never count too little', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 3_000 }),
        fc.integer({ min: 1, max: 190 }),
        fc.nat({ max: 600 }),
        (crowd, step, pause) => {
          const callers = createTopCallers();
          let sent = 0;
          for (let at = 0; at < crowd; at += 1) {
            callers.add('operations', `crowd-${at}`, 1);
            if (at % step > 0 || (at > 0 && at < pause)) continue;
            callers.add('operations', 'heavy', 1);
            sent += 1;
          }
          aMinuteLater();
          const found = callers.read().find(([, lane]) => lane === 'heavy');
          if (sent > (crowd + sent) / 200 + 1) expect(found?.[2]).toBeGreaterThanOrEqual(sent);
        },
      ),
      { numRuns: 15 },
    );
  });
});
