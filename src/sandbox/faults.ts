/** Which fault the next call of an endpoint meets. */
import { type EndpointName, endpointNames } from './endpoint.ts';
import { type Fault, faultNamed, faultNames } from './fault-kinds.ts';
import { type JsonObject, Refusal } from './http.ts';

interface ActiveFault {
  readonly endpoint: EndpointName | '*';
  readonly fault: string;
  /** Calls that will still meet it; null: until cleared. */
  times: number | null;
}

export interface Faults {
  readonly active: readonly ActiveFault[];
  /** From `POST /sandbox/faults`: `{ endpoint, fault, times }`; the fault `none` clears the endpoint's faults. */
  set(order: JsonObject): void;
  /** The fault for a call that arrives now, used up by it. Faults come in the order in which they were set. */
  take(endpoint: EndpointName): { readonly name: string; readonly meet: Fault } | undefined;
}

const maxActive = 1_000;

export function createFaults(): Faults {
  let active: ActiveFault[] = [];
  return {
    get active() {
      return active;
    },
    set(order) {
      const { endpoint, fault, times } = checkedOrder(order);
      if (fault === 'none') {
        active = active.filter((other) => endpoint !== '*' && other.endpoint !== endpoint);
        return;
      }
      if (active.length >= maxActive) throw new Refusal(400, `At most ${maxActive} faults wait at a time.`);
      active.push({ endpoint, fault, times });
    },
    take(endpoint) {
      const next = active.find((fault) => fault.endpoint === endpoint || fault.endpoint === '*');
      const meet = next && faultNamed(next.fault);
      if (next === undefined || meet === undefined) return undefined;
      if (next.times !== null) next.times -= 1;
      if (next.times === 0) active = active.filter((fault) => fault !== next);
      return { name: next.fault, meet };
    },
  };
}

function checkedOrder(order: JsonObject): ActiveFault {
  const { endpoint, fault, times = 1 } = order;
  if (endpoint !== '*' && !endpointNames.includes(endpoint as EndpointName)) {
    throw new Refusal(400, `Unknown endpoint. There are: *, ${endpointNames.join(', ')}.`);
  }
  if (typeof fault !== 'string' || (fault !== 'none' && faultNamed(fault) === undefined)) {
    throw new Refusal(400, `Unknown fault. There are: none, ${faultNames.join(', ')}.`);
  }
  if (times !== null && !(Number.isSafeInteger(times) && (times as number) > 0)) {
    throw new Refusal(400, 'times must be a positive integer, or null for "until cleared".');
  }
  return { endpoint: endpoint as ActiveFault['endpoint'], fault, times: times as number | null };
}
