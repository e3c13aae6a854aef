/** What a gateway still holds after all of its callers have left. */
import { setTimeout as sleep } from 'node:timers/promises';

/** What is 0 then. */
const gauges = [
  ...['folio_bound_used_ratio', 'folio_sockets', 'folio_subscriptions', 'folio_uploads_in_flight'],
  ...['folio_watches', 'folio_service_calls_in_flight', 'folio_service_calls_queued'],
];
/** Longest time until then (ms): that of a read, and more. */
const releasedMs = 20_000;

/** The samples that are not 0 at the end of that time. `readMetrics`: in the text format. */
export async function heldAfterwards(readMetrics: () => Promise<string>): Promise<readonly string[]> {
  const end = performance.now() + releasedMs;
  while (true) {
    const lines = (await readMetrics()).split('\n');
    const held = lines.filter((line) => gauges.some((name) => line.startsWith(name)) && !line.endsWith(' 0'));
    if (held.length === 0 || performance.now() > end) return held;
    await sleep(100);
  }
}

/** Looks for a key of the ledger. Those whose time is over are removed then. */
export const findKey = '{ writeOutcome(idempotencyKey: "no-such-key") { __typename } }';
