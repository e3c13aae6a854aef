import type { IncomingMessage } from 'node:http';
import { type CallerIdentity, type Credentials, identify, type LaneMaker } from '../caller.ts';
import { mechanisms } from '../tools/mechanisms.ts';
import { credentialsFromRequest } from './credentials.ts';

/**
 * Creates a reader of the credentials of requests, their lane and owner. It computes these when the credentials differ from
 * those of the previous request on the connection; only those are kept, until the connection closes. Throws when the
 * credentials are malformed.
 */
export function createIdentityReader(laneOf: LaneMaker): (request: IncomingMessage) => CallerIdentity {
  const previous = new WeakMap<object, CallerIdentity>();
  return (request) => {
    const credentials = credentialsFromRequest(request);
    const known = previous.get(request.socket);
    if (known && areEqual(known.credentials, credentials)) return known;
    const identity = identify(credentials, laneOf);
    if (mechanisms.connectionLanes) previous.set(request.socket, identity);
    return identity;
  };
}

function areEqual(one: Credentials, other: Credentials): boolean {
  return one.apiKey === other.apiKey && one.authorization === other.authorization;
}
