/** Counts and logs where responses of the service differ from docs/service.md. */
import { isObject } from '../tools/is-object.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** A difference between a response of the service and docs/service.md, or a response of which nothing can be used. */
export type Drift =
  | {
      readonly kind: 'unknown-member' | 'missing-member' | 'mistyped-member' | 'unknown-word' | 'not-utf8';
      /** Path in the response, without list indices, e.g. `createGroup.queues`. */
      readonly member: string;
    }
  /** `body`: undefined when it is not JSON. */
  | { readonly kind: 'unreadable'; readonly body: unknown };

type Redact = (name: string) => string;

/** Most differences that are remembered. Further ones are counted but not logged. */
const maxKnown = 1_000;
/** Matches the name of a member. A name of another form, or a longer one, may be personal data and is not logged. */
const memberForm = /^(?!.*\d{6})[A-Za-z_$][\w.$-]*$/;
const maxNameLength = 200;
/** Most members of an object, and levels of objects, whose names and types are logged. */
const maxMembers = 30;
const maxDepth = 4;

/**
 * Creates a function that counts every difference and logs each distinct one once. Of the first unreadable response of
 * each endpoint it logs the names and types of the members, never a value. `redact`: removes the caller's credentials from a name.
 */
export function createDriftReporter(log: Log, metrics: Metrics) {
  const known = new Set<string>();
  const isNew = (what: string) => {
    if (known.has(what) || known.size >= maxKnown) return false;
    known.add(what);
    return true;
  };
  return (endpoint: string, drift: Drift, redact: Redact): void => {
    if (drift.kind === 'unreadable') {
      if (isNew(`${endpoint} unreadable`))
        log.warn({ endpoint, response: shapeOf(drift.body, redact) }, 'unreadable response');
      return;
    }
    const { kind } = drift;
    metrics.drift.inc({ endpoint, kind });
    // The service decides how long a name is.
    const member = nameOf(drift.member);
    if (isNew(`${endpoint} ${kind} ${member}`)) log.warn({ endpoint, kind, member: redact(member) }, 'drift');
  };
}

function nameOf(member: string): string {
  return member.length <= maxNameLength && memberForm.test(member) ? member : '(no name)';
}

/** The type of a value; of a list that of its first member, of an object those of its members. */
function shapeOf(value: unknown, redact: Redact, depth = 1): unknown {
  if (value === undefined) return 'not JSON';
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  if (depth > maxDepth) return Array.isArray(value) ? 'list' : 'object';
  if (!isObject(value))
    return (value as unknown[]).slice(0, 1).map((first) => shapeOf(first, redact, depth + 1));
  const members = Object.entries(value).slice(0, maxMembers);
  return Object.fromEntries(
    members.map(([name, inner]) => [redact(nameOf(name)), shapeOf(inner, redact, depth + 1)]),
  );
}
