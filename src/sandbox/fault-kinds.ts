/**
 * The ways in which the sandbox can misbehave. `status-NNN`, `retry-after-N` and `unavailable-N` respond instead of the endpoint, so the
 * call has no effect. Every other fault runs the endpoint, then changes, delays or loses its response.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { problem, type Reply } from './http.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Aborted when the connection closes; ends the timers of a fault. */
  readonly closed: AbortSignal;
  /** Runs the endpoint and returns its response. */
  handle(): Promise<Reply>;
  send(reply: Reply): void;
}

export type Fault = (exchange: Exchange) => Promise<void>;

/** The name as the list of faults shows it, the pattern of the name, and the fault for the number in it. */
const kinds: readonly (readonly [shown: string, RegExp, (parameter: number) => Fault])[] = [
  [
    'status-NNN',
    /^status-([2-5]\d\d)$/,
    (status) => respondingWith(problem(status, 'This response is a fault.')),
  ],
  [
    'retry-after-N',
    /^retry-after-(\d{1,12})$/,
    (seconds) => respondingWith(problem(429, 'Too many requests.', retryAfter(seconds))),
  ],
  [
    'unavailable-N',
    /^unavailable-(\d{1,12})$/,
    (seconds) => respondingWith(problem(503, 'Unavailable.', retryAfter(seconds))),
  ],
  ['slow-NNNN', /^slow-(\d{1,6})$/, slow],
  ['hang', /^hang$/, () => hang],
  ['reset', /^reset$/, () => reset],
  [
    'mistyped-members',
    /^mistyped-members$/,
    () => corruptingValues((value) => (typeof value === 'string' ? 7 : 'seven')),
  ],
  [
    'unknown-words',
    /^unknown-words$/,
    () => corruptingValues((value, member) => (wordMembers.includes(member) ? 'SANDBOX_WORD' : value)),
  ],
];

export const faultNames = kinds.map(([shown]) => shown);

export function faultNamed(name: string): Fault | undefined {
  for (const [, pattern, fault] of kinds) {
    const match = pattern.exec(name);
    if (match) return fault(Number(match[1]));
  }
  return undefined;
}

function retryAfter(seconds: number): Record<string, string> {
  return { 'retry-after': String(seconds) };
}

const hang: Fault = async ({ handle }) => void (await handle());

const reset: Fault = async ({ handle, response }) => {
  await handle();
  response.socket?.resetAndDestroy();
};

function respondingWith(reply: Reply): Fault {
  return async ({ request, send }) => {
    request.resume();
    await once(request, 'end');
    send(reply);
  };
}

/** Delays the response by `ms`. */
function slow(ms: number): Fault {
  return async ({ handle, send, closed }) => {
    const reply = await handle();
    await wait(ms, undefined, { signal: closed });
    send(reply);
  };
}

/** Members whose values are words of a closed list. */
const wordMembers = ['status', 'validation_result', 'result', 'UIType', 'docType'];

/** Changes the values in the response that are neither objects, arrays nor null. */
function corruptingValues(corrupt: (value: unknown, member: string) => unknown): Fault {
  return async ({ handle, send }) => {
    const reply = await handle();
    const body = JSON.parse(reply.body, (member, value: unknown) =>
      typeof value === 'object' ? value : corrupt(value, member),
    );
    send({ ...reply, body: JSON.stringify(body) });
  };
}
