/** Reports operations that are sent as text, so that a team sees what PERSISTED_OPERATIONS_ONLY=true would refuse. */
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { maxLoggedName } from '../operation-log.ts';
import type { PersistedOperation } from '../valid-document.ts';

/** Most hashes that are remembered. When there are more, each is logged again. */
const maxHashes = 1_000;

/** Returns a function that counts each operation, and logs each hash once. */
export function createAsTextReport(metrics: Metrics, log: Log) {
  const logged = new Set<string>();
  /** `persisted`: the operation as a manifest has it. `name`: that in its text. */
  return (
    hash: string,
    persisted: PersistedOperation | undefined,
    name: string | undefined,
    requestId: string,
  ) => {
    const kind = persisted === undefined ? 'unknown' : 'persisted';
    metrics.operationsAsText.inc({ kind });
    if (logged.has(hash)) return;
    if (logged.size >= maxHashes) logged.clear();
    logged.add(hash);
    log.warn(
      { hash, name: name?.slice(0, maxLoggedName), kind, requestId },
      'operation sent as text, which PERSISTED_OPERATIONS_ONLY=true refuses',
    );
  };
}
