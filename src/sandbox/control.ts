/** The paths under `/sandbox`: set faults, assumptions and the course, move the clock, list the calls that were received. */
import type { IncomingMessage } from 'node:http';
import { type Assumptions, assumptionNames } from './assumptions.ts';
import type { CallLog } from './call-log.ts';
import type { Clock } from './clock.ts';
import type { Course } from './course.ts';
import type { Faults } from './fault-queue.ts';
import {
  type JsonObject,
  json,
  parseJsonObject,
  problem,
  type Reply,
  readBody,
  requireMediaType,
} from './http.ts';

/** What the paths show and change. */
export interface Controlled {
  readonly clock: Clock;
  readonly faults: Faults;
  readonly calls: CallLog;
  readonly assumptions: Assumptions;
  readonly course: Course;
}

type Action = (request: IncomingMessage) => Promise<Reply> | Reply;

export function createControl({ clock, faults, calls, assumptions, course }: Controlled) {
  const actions: Readonly<Record<string, Readonly<Record<string, Action>>>> = {
    '/sandbox/faults': setting(() => ({ faults: faults.active }), faults.set),
    '/sandbox/assumptions': {
      ...setting(() => ({ wrong: assumptions.wrong }), assumptions.set),
      GET: () => json(200, { wrong: assumptions.wrong, names: assumptionNames }),
    },
    '/sandbox/clock': setting(
      () => ({ now: clock.now() }),
      ({ advanceMs }) => clock.advance(advanceMs),
    ),
    '/sandbox/course': setting(() => ({ ...course.active }), course.set),
    '/sandbox/calls': {
      GET: () => json(200, { calls: calls.entries }),
      DELETE: () => {
        calls.clear();
        return json(200, { calls: calls.entries });
      },
    },
  };

  return {
    /** Returns the response for a control path; undefined for any other path. */
    handle(request: IncomingMessage, path: string): Promise<Reply> | undefined {
      const methods = Object.hasOwn(actions, path) ? actions[path] : undefined;
      if (methods === undefined) return undefined;
      const action = methods[request.method ?? ''];
      const allow = Object.keys(methods).join(', ');
      return Promise.resolve(
        action ? action(request) : problem(405, `Method not allowed. Use ${allow}.`, { allow }),
      );
    },
  };
}

/** GET returns the current state; POST changes it, and returns it. */
function setting(current: () => JsonObject, change: (body: JsonObject) => void) {
  return {
    GET: () => json(200, current()),
    POST: async (request: IncomingMessage) => {
      change(await readControlBody(request));
      return json(200, current());
    },
  };
}

/** Requires the JSON content type, which a page of another origin cannot send without a CORS preflight. */
async function readControlBody(request: IncomingMessage): Promise<JsonObject> {
  requireMediaType(request, 'application/json');
  return parseJsonObject((await readBody(request)).content);
}
