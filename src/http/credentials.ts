import type { IncomingMessage } from 'node:http';
import type { Credentials } from '../caller.ts';
import { badRequest } from '../errors.ts';
import { isObject } from '../is-object.ts';

const members = { 'x-api-key': 'apiKey', authorization: 'authorization' } as const;
const names = ['x-api-key', 'authorization'] as const;

/** Printable ASCII without blanks at the ends: what every HTTP stack passes on unchanged. */
const headerValue = /^[\x21-\x7e]([\x20-\x7e]{0,8190}[\x21-\x7e])?$/;

/** From the headers of an HTTP request; a header given twice or with other than printable ASCII is refused. */
export function credentialsFromRequest(request: IncomingMessage): Credentials {
  return collect((name) => {
    const value = request.headers[name];
    if (value !== undefined && countOf(name, request.rawHeaders) > 1) {
      throw badRequest(`The header ${name} is given more than once.`);
    }
    return value;
  });
}

/** Node joins some headers that are given twice, and drops others: only the raw list tells. */
function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index] as string;
    if (given.length === name.length && given.toLowerCase() === name) count += 1;
  }
  return count;
}

/**
 * From the payload of a WebSocket's `connection_init`: the header names in any case, at the top or under
 * `headers`; where it names none, from the headers of the upgrade request.
 */
export function credentialsFromConnectionInit(payload: unknown, upgrade: IncomingMessage): Credentials {
  if (payload === undefined || payload === null) return credentialsFromRequest(upgrade);
  const given = new Map<string, unknown>();
  const nested = isObject(payload) ? (payload.headers ?? {}) : undefined;
  if (!isObject(payload) || !isObject(nested)) throw badRequest('connection_init takes an object.');
  for (const [name, value] of [...Object.entries(nested), ...Object.entries(payload)]) {
    given.set(name.toLowerCase(), value);
  }
  const found = collect((name) => given.get(name));
  return found.apiKey === undefined && found.authorization === undefined
    ? credentialsFromRequest(upgrade)
    : found;
}

function collect(read: (name: (typeof names)[number]) => unknown): Credentials {
  const found: { -readonly [member in keyof Credentials]: Credentials[member] } = {
    apiKey: undefined,
    authorization: undefined,
  };
  for (const name of names) {
    const value = read(name);
    if (value === undefined || value === null || value === '') continue;
    if (typeof value !== 'string' || !headerValue.test(value)) {
      throw badRequest(`${name} must be a text of printable ASCII characters, at most 8,192 of them.`);
    }
    found[members[name]] = value;
  }
  return found;
}
