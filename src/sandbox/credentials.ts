import type { IncomingHttpHeaders } from 'node:http';
import { BoundedMap } from './bounded-map.ts';
import { HttpError } from './http.ts';

export type Credential = 'apiKey' | 'authorization';

/** The header of each credential (docs/service.md, "Headers"), in lower case. */
export const credentialHeaders = { apiKey: 'x-api-key', authorization: 'authorization' } as const;

/**
 * The owner of the data that a call sees: the API key, or without one the bearer token after a line break, which no key has;
 * the empty string if neither was sent or required.
 */
export type Tenant = string;

/** Their effects at every endpoint: rows of docs/sandbox.md. */
export const credentialInputs = {
  [`\`${credentialHeaders.apiKey}\``]: {
    'begins with `bad`': '401, [`UNAUTHENTICATED`](reference/errors.md#unauthenticated)',
    'begins with `forbidden`': '403, [`FORBIDDEN`](reference/errors.md#forbidden)',
    'begins with `limited`':
      '429 on every third call: a write is [`RATE_LIMITED`](reference/errors.md#rate_limited) with `retryAfterMs: 1000`; a read takes a second longer, since the gateway repeats it',
    'any other': 'accepted',
  },
  'bearer token': { 'begins with `expired` or `bad`': '401, `UNAUTHENTICATED`' },
};

/**
 * Returns a function that throws unless a call sends every required credential, and only valid ones. An API key is valid
 * unless it begins with `bad`, a bearer token unless it begins with `expired` or `bad`. A key that begins with `forbidden`
 * is 403, one that begins with `limited` is 429 on every third call.
 */
export function createAuthenticator() {
  const callsOfLimitedKeys = new BoundedMap<string, number>();

  return (headers: IncomingHttpHeaders, requiredCredentials: readonly Credential[]): Tenant => {
    const apiKey = String(headers[credentialHeaders.apiKey] ?? '');
    const authorization = headers.authorization ?? '';
    if (apiKey === '' && requiredCredentials.includes('apiKey'))
      throw new HttpError(401, `The header ${credentialHeaders.apiKey} is missing.`);
    if (apiKey.startsWith('bad')) throw new HttpError(401, 'The API key is unknown.');
    if (authorization === '' && requiredCredentials.includes('authorization')) {
      throw new HttpError(401, 'The header Authorization is missing.');
    }
    let bearer = '';
    if (authorization !== '') {
      const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
      if (token === undefined) throw new HttpError(401, 'The header Authorization must be a bearer token.');
      if (/^(expired|bad)/.test(token)) throw new HttpError(401, 'The access token is expired or invalid.');
      bearer = `\n${token}`;
    }
    if (apiKey.startsWith('forbidden')) throw new HttpError(403, 'The API key does not have access.');
    if (apiKey.startsWith('limited')) {
      const calls = (callsOfLimitedKeys.get(apiKey) ?? 0) + 1;
      callsOfLimitedKeys.set(apiKey, calls);
      if (calls % 3 === 0) throw new HttpError(429, 'Too many requests.', { 'retry-after': '1' });
    }
    return apiKey || bearer;
  };
}
