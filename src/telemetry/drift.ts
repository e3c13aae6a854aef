import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** How an answer of the service differs from what docs/service.md says of it. */
interface Drift {
  readonly kind: string;
  readonly member: string;
}

/** Most differences that are remembered: beyond them they are counted and logged no more. */
const maxKnown = 1_000;
/** What reads as the name of a member, and not as somebody's data in its place. */
const memberForm = /^(?!.*\d{6})[A-Za-z_$][\w.$-]{0,199}$/;

/** Counts every difference, and logs each once: what changed, and where. */
export function createDriftReporter(log: Log, metrics: Metrics) {
  const known = new Set<string>();
  return (endpoint: string, { kind, member }: Drift): void => {
    metrics.drift.inc({ endpoint, kind });
    const difference = `${endpoint} ${kind} ${member}`;
    if (known.has(difference) || known.size >= maxKnown) return;
    known.add(difference);
    log.warn({ endpoint, kind, member: memberForm.test(member) ? member : '(no name)' }, 'drift');
  };
}
