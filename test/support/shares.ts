/** Callers and shares for tests of one bound. */
import { type Caller, createLaneMaker, type Holder, identify } from '../../src/caller.ts';
import { readConfig } from '../../src/config/config.ts';
import { createSharesByBound, type SharesByBound } from '../../src/shares/bound-sizes.ts';
import { createShares, type Shares } from '../../src/shares/shares.ts';
import { createMetrics, type Metrics } from '../../src/telemetry/metrics.ts';

const config = readConfig({});
/** What is registered is not read, and these take longer to create than the shares. */
const metrics: Metrics = { ...createMetrics('test'), gauge: () => {} };
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
  const of = { ...createSharesByBound(config), ...changed };
  const shares = createShares(of, metrics, { info() {} });
  for (const one of accepted) shares.acceptedLanes.accept(one);
  return shares;
}
