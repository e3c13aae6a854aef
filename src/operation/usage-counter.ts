/** Counts operations by application and by manifest. Anybody can send any name: the labels are bounded. */
import { type Application, applicationLabel, type Caller, type Owner } from '../caller.ts';
import type { AcceptedLanes } from '../shares/accepted-lanes.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { PersistedOperations } from './persisted/persisted-operations.ts';

/** Most applications that callers have named and no manifest has, and most of one owner. Names from newcomers are not added. */
const maxApplications = 100;
const maxOfOwner = maxApplications / 4;

/** `manifests`: the applications whose manifests have the operation. */
export type CountUsage = (caller: Caller, manifests: readonly string[] | undefined) => void;

export function createUsageCounter(
  metrics: Metrics,
  acceptedLanes: AcceptedLanes,
  persistedOperations: PersistedOperations,
): CountUsage {
  /** The owner who named it first, by label. */
  const named = new Map<string, Owner>();

  function isKnown(label: string, { lane, owner }: Caller): boolean {
    if (named.has(label) || persistedOperations.isManifest(label)) return true;
    if (named.size >= maxApplications || !acceptedLanes.has(lane)) return false;
    if ([...named.values()].filter((one) => one === owner).length >= maxOfOwner) return false;
    named.set(label, owner);
    return true;
  }

  return (caller, manifests = []) => {
    const { application } = caller;
    if (application) {
      const { name: client, version = '' } = application;
      const known = isKnown(applicationLabel(application), caller);
      metrics.operationsByClient.inc(known ? { client, version } : { client: 'other', version: '' });
    }
    for (const manifest of manifestsUsed(manifests, application))
      metrics.operationsByManifest.inc({ manifest });
  };
}

/** Of the manifests that have an operation, that of the application which the client names, otherwise all. */
export function manifestsUsed(
  manifests: readonly string[],
  application: Application | undefined,
): readonly string[] {
  const names = application ? [applicationLabel(application), application.name] : [];
  const own = manifests.find((manifest) => names.includes(manifest));
  return own === undefined ? manifests : [own];
}
