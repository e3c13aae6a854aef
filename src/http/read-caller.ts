/** What the headers of a request, or the payload of a WebSocket's `connection_init`, say about the caller. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import {
  type Application,
  applicationOf,
  type CallerIdentity,
  type Credentials,
  credentialHeaders,
  identify,
  type LaneMaker,
  requestIdFrom,
} from '../caller.ts';
import { badRequest } from '../errors.ts';
import { isObject } from '../tools/is-object.ts';
import { mechanisms } from '../tools/speed-mechanisms.ts';
import { countOfHeader, type RequestHead } from './request-head.ts';

/** Printable ASCII without blanks at the ends: every HTTP library forwards it unchanged. */
const headerValue = /^[\x21-\x7e]([\x20-\x7e]{0,8190}[\x21-\x7e])?$/;

/** Reads the headers of an HTTP request. Throws when a header is given twice or is not printable ASCII. */
export function credentialsFromRequest(request: RequestHead): Credentials {
  return collect((name) => {
    const value = request.headers[name];
    if (value !== undefined && countOfHeader(name, request.rawHeaders) > 1) {
      throw givenTwice(`The header ${name}`);
    }
    return value;
  });
}

/** Reads the payload of a WebSocket's `connection_init`. One without credentials leaves the headers of the upgrade request. */
export function credentialsFromConnectionInit(payload: unknown, upgrade: RequestHead): Credentials {
  const valuesOf = initMembers(payload);
  const found = collect((name) => {
    const values = new Set(valuesOf(name));
    if (values.size > 1) throw givenTwice(name);
    return [...values][0];
  });
  return (found.apiKey ?? found.authorization) ? found : credentialsFromRequest(upgrade);
}

/** Reads members of the payload of `connection_init` by names in lower case: header names in any case, under `headers` or at the top. Empty ones are none. */
function initMembers(payload: unknown): (name: string) => readonly unknown[] {
  const top = payload ?? {};
  const nested = isObject(top) ? (top.headers ?? {}) : undefined;
  if (!isObject(top) || !isObject(nested))
    throw badRequest('The payload of connection_init must be an object.');
  const entries = [...Object.entries(nested), ...Object.entries(top)];
  return (name) =>
    entries
      .filter(([given, value]) => given.toLowerCase() === name && (value ?? '') !== '')
      .map(([, value]) => value);
}

function givenTwice(name: string): Error {
  return badRequest(`${name} is given more than once: send it once.`);
}

function collect(read: (name: string) => unknown): Credentials {
  const credential = (header: string) => checked(header, read(header.toLowerCase()));
  return {
    apiKey: credential(credentialHeaders.apiKey),
    authorization: credential(credentialHeaders.authorization),
  };
}

function checked(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string' && headerValue.test(value)) return value;
  throw badRequest(`${name} must be a string of at most 8,192 printable ASCII characters.`);
}

/**
 * Creates a reader of the credentials of requests, their lane and owner. It computes these when the credentials differ from
 * those of the previous request on the connection; only those are kept, until the connection closes or `forget` is called.
 * `read` throws when the credentials are malformed.
 */
export function createIdentityReader(laneOf: LaneMaker) {
  const previous = new WeakMap<Socket, CallerIdentity>();
  return {
    read(request: IncomingMessage): CallerIdentity {
      const credentials = credentialsFromRequest(request);
      const known = previous.get(request.socket);
      if (known && areEqual(known.credentials, credentials)) return known;
      const identity = identify(credentials, laneOf);
      if (mechanisms.rememberedIdentities) previous.set(request.socket, identity);
      return identity;
    },
    forget: (socket: Socket) => previous.delete(socket),
  };
}

/** The identity that `read` returns; undefined when it throws because the credentials are malformed. */
export function identityIfValid(read: () => CallerIdentity): CallerIdentity | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function areEqual(one: Credentials, other: Credentials): boolean {
  return one.apiKey === other.apiKey && one.authorization === other.authorization;
}

export function requestIdOf({ headers }: RequestHead): string {
  return requestIdFrom(headers['x-request-id']?.toString());
}

export function applicationFromRequest({ headers }: RequestHead): Application | undefined {
  return applicationFrom((name) => headers[name]);
}

/** Reads the payload of a WebSocket's `connection_init`. One without a name leaves the headers of the upgrade request. */
export function applicationFromConnectionInit(
  payload: unknown,
  upgrade: RequestHead,
): Application | undefined {
  const valuesOf = initMembers(payload);
  return applicationFrom((name) => valuesOf(name).at(-1)) ?? applicationFromRequest(upgrade);
}

function applicationFrom(read: (name: string) => unknown): Application | undefined {
  return (
    applicationOf(read('apollographql-client-name'), read('apollographql-client-version')) ??
    applicationOf(read('x-graphql-client-name'), read('x-graphql-client-version'))
  );
}
