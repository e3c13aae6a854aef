/** The queue of faults: which fault applies to the next call of an endpoint. */

import { faultNamed, faultNames } from './fault-kinds.ts';
import { HttpError, type JsonObject } from './http.ts';
import { type EndpointName, endpointNames } from './named-endpoints.ts';

interface ActiveFault {
  readonly endpoint: EndpointName | '*';
  readonly fault: string;
  /** Number of calls that the fault still applies to; null: all calls until the fault is cleared. */
  times: number | null;
}

export type Faults = ReturnType<typeof createFaults>;

const maxActive = 1_000;

export function createFaults() {
  let active: ActiveFault[] = [];
  return {
    get active(): readonly ActiveFault[] {
      return active;
    },
    /**
     * Adds the fault in the body of `POST /sandbox/faults`: `{ endpoint, fault, times }`. The fault `none` clears the faults
     * of the endpoint.
     */
    set(body: JsonObject) {
      const { endpoint, fault, times } = parseFault(body);
      if (fault === 'none') {
        active = active.filter((other) => endpoint !== '*' && other.endpoint !== endpoint);
        return;
      }
      if (active.length >= maxActive) throw new HttpError(400, `At most ${maxActive} faults can be active.`);
      active.push({ endpoint, fault, times });
    },
    /** Returns the fault for the call that arrives now and counts it. Faults apply in the order in which they were set. */
    take(endpoint: EndpointName) {
      const next = active.find((fault) => fault.endpoint === endpoint || fault.endpoint === '*');
      const apply = next && faultNamed(next.fault);
      if (next === undefined || apply === undefined) return undefined;
      if (next.times !== null) next.times -= 1;
      if (next.times === 0) active = active.filter((fault) => fault !== next);
      return { name: next.fault, apply };
    },
  };
}

function parseFault(body: JsonObject): ActiveFault {
  const { endpoint, fault, times = 1 } = body;
  if (endpoint !== '*' && !endpointNames.includes(endpoint as EndpointName)) {
    throw new HttpError(400, `endpoint must be one of: *, ${endpointNames.join(', ')}.`);
  }
  if (typeof fault !== 'string' || (fault !== 'none' && faultNamed(fault) === undefined)) {
    throw new HttpError(400, `fault must be one of: none, ${faultNames.join(', ')}.`);
  }
  if (times !== null && !(Number.isSafeInteger(times) && (times as number) > 0)) {
    throw new HttpError(400, 'times must be a positive integer, or null for "until cleared".');
  }
  return { endpoint: endpoint as ActiveFault['endpoint'], fault, times: times as number | null };
}
