import type { IncomingHttpHeaders } from 'node:http';
import { boundedMap } from './bounded-map.ts';
import { Refusal } from './http.ts';

export type CredentialHeader = 'x-api-key' | 'authorization';

/** Whose data a call sees: the API key, or the empty text where none was given and none is required. */
export type Tenant = string;

export type Gatekeeper = (headers: IncomingHttpHeaders, demands: readonly CredentialHeader[]) => Tenant;

const maxCountedKeys = 10_000;

/**
 * Lets a call in, or refuses it. A credential that is demanded must be there; one that is given must be good,
 * demanded or not. Any API key is good unless it begins with `bad`; any bearer unless with `expired` or `bad`.
 */
export function createGatekeeper(): Gatekeeper {
  const callsOfLimitedKeys = boundedMap<string, number>(maxCountedKeys);

  return (headers, demands) => {
    const apiKey = single(headers['x-api-key']);
    const authorization = headers.authorization ?? '';
    if (apiKey === '' && demands.includes('x-api-key')) throw new Refusal(401, 'No API key was given.');
    if (apiKey.startsWith('bad')) throw new Refusal(401, 'The API key is not known.');
    if (authorization === '' && demands.includes('authorization')) {
      throw new Refusal(401, 'No access token was given.');
    }
    if (authorization !== '') {
      const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
      if (token === undefined) throw new Refusal(401, 'The Authorization header holds no bearer token.');
      if (/^(expired|bad)/.test(token)) throw new Refusal(401, 'The access token is expired or not valid.');
    }
    if (apiKey.startsWith('forbidden')) throw new Refusal(403, 'The API key has no access here.');
    if (apiKey.startsWith('limited')) {
      const calls = (callsOfLimitedKeys.get(apiKey) ?? 0) + 1;
      callsOfLimitedKeys.set(apiKey, calls);
      if (calls % 3 === 0) throw new Refusal(429, 'Too many requests.', { 'retry-after': '1' });
    }
    return apiKey;
  };
}

function single(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? '';
}
