/** Callers and shares for tests of one bound. */
import { type Caller, createLaneMaker, type Holder, identify } from '../../src/caller.ts';
import { readConfig } from '../../src/config/config.ts';
import { createSharesByBound, type SharesByBound } from '../../src/shares/bound-sizes.ts';
import { createShares, type Shares } from '../../src/shares/shares.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

const laneOf = createLaneMaker('a secret of the tests, 32 bytes or more');

/** The caller with this API key, and with a token if one is given. */
export function holder(
  apiKey: string,
  authorization?: string,
): Pick<Caller, 'credentials' | 'lane' | 'owner'> {
  return identify({ apiKey, authorization }, laneOf);
}

/** Shares in which the service has accepted these callers. */
export function aShares(...accepted: Holder[]): Shares {
  return sharesWith({}, ...accepted);
}

/** Shares with other sizes than the defaults. */
export function sharesWith(changed: Partial<SharesByBound>, ...accepted: Holder[]): Shares {
  const of = { ...createSharesByBound(readConfig({})), ...changed };
  const shares = createShares(of, createMetrics('test'), { info() {} });
  for (const one of accepted) shares.acceptedLanes.accept(one);
  return shares;
}
