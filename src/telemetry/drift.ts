import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** A difference between a response of the service and docs/service.md. */
interface Drift {
  readonly kind: string;
  readonly member: string;
}

/** Most differences that are remembered. Further ones are counted but not logged. */
const maxKnown = 1_000;
/** Matches the name of a member. A name of another form may be personal data and is not logged. */
const memberForm = /^(?!.*\d{6})[A-Za-z_$][\w.$-]{0,199}$/;

/** Creates a function that counts every difference and logs each distinct one once. */
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
