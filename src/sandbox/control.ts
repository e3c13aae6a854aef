/** The paths under `/sandbox`: how a test or a person makes the sandbox misbehave and sees what it was asked. */
import type { IncomingMessage } from 'node:http';
import type { CallLog } from './calls.ts';
import type { Clock } from './clock.ts';
import type { Faults } from './faults.ts';
import {
  demandMediaType,
  type JsonObject,
  json,
  parseJsonObject,
  problem,
  Refusal,
  type Reply,
  readBody,
} from './http.ts';

export interface Control {
  /** The answer for a control path; undefined for any other path. */
  answer(request: IncomingMessage, path: string): Promise<Reply> | undefined;
}

interface ControlState {
  readonly clock: Clock;
  readonly faults: Faults;
  readonly calls: CallLog;
}

type Action = (request: IncomingMessage) => Promise<Reply> | Reply;

export function createControl({ clock, faults, calls }: ControlState): Control {
  const actions: Readonly<Record<string, Readonly<Record<string, Action>>>> = {
    '/sandbox/faults': {
      GET: () => json(200, { faults: faults.active }),
      POST: async (request) => {
        faults.set(await order(request));
        return json(200, { faults: faults.active });
      },
    },
    '/sandbox/clock': {
      GET: () => json(200, { now: clock.now() }),
      POST: async (request) => {
        const { advanceMs } = await order(request);
        if (typeof advanceMs !== 'number' || !(advanceMs >= 0)) {
          throw new Refusal(400, 'advanceMs must be a number that is not negative.');
        }
        clock.advance(advanceMs);
        return json(200, { now: clock.now() });
      },
    },
    '/sandbox/calls': {
      GET: () => json(200, { calls: calls.entries }),
      DELETE: () => {
        calls.clear();
        return json(200, { calls: calls.entries });
      },
    },
  };

  return {
    answer(request, path) {
      const methods = Object.hasOwn(actions, path) ? actions[path] : undefined;
      if (methods === undefined) return undefined;
      const action = methods[request.method ?? ''];
      const allow = Object.keys(methods).join(', ');
      return Promise.resolve(action ? action(request) : problem(405, `Use ${allow}.`, { allow }));
    },
  };
}

/** JSON by its content type: no page of another origin can send that without being asked first. */
async function order(request: IncomingMessage): Promise<JsonObject> {
  demandMediaType(request, 'application/json');
  return parseJsonObject((await readBody(request)).content);
}
