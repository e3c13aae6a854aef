import { type Caller, type Credentials, credentialHeaders } from '../caller.ts';
import { badUserInput, GatewayError } from '../errors.ts';

export interface Endpoint {
  /** Name in errors, logs and metrics: the GraphQL field that calls the endpoint. */
  readonly operation: string;
  readonly method: 'GET' | 'POST';
  /** Path below the base URL. `{name}` is a path parameter. */
  readonly path: string;
  /** Credentials without which no call is made. Both are sent whenever the caller supplied them. */
  readonly requiredCredentials: readonly (keyof Credentials)[];
  /**
   * A read is shared within a lane while in flight, retried, and aborted when its last caller disconnects.
   * A write is never repeated once a byte may have left, runs to completion after its caller disconnects, and reports
   * its side effect.
   */
  readonly kind: 'read' | 'write';
  /**
   * Where the members of the request are in the field's arguments, by their names at the service. Reasons of a refusal name
   * members. Default: none.
   */
  readonly inputPaths?: Readonly<Record<string, readonly string[]>>;
}

/** Longest id in a path, in UTF-16 code units. */
const maxIdLength = 128;
/** Longest header value after its encoding, in bytes: common servers refuse longer ones. */
const maxHeaderLength = 8_192;
const controlCharacter = /\p{Cc}/u;

/**
 * Returns an id for a path as the caller wrote it. Rejects an id that could name another path: percent-encoding does
 * not neutralize a dot segment, and some servers decode a path before they route it.
 */
export function checkedId(id: string, name: string): string {
  const isValid = id !== '' && id.length <= maxIdLength && id.isWellFormed() && !controlCharacter.test(id);
  if (isValid && id !== '.' && id !== '..' && !/[/\\?#]/.test(id)) return id;
  throw badUserInput(
    `${name} must be 1 to ${maxIdLength} characters, without "/", "\\", "?", "#" and control characters, and not "." or "..".`,
  );
}

/** Returns an id that the service documents as numeric, as the caller wrote it: 1 to 19 digits. */
export function numericId(id: string, name: string): string {
  if (/^[0-9]{1,19}$/.test(id)) return id;
  throw badUserInput(`${name} must be 1 to 19 digits.`);
}

/** Returns a numeric id as the text of a JSON integer, without leading zeros. */
export function integerId(id: string, name: string): string {
  const digits = numericId(id, name);
  return digits.startsWith('0') ? digits.replace(/^0+(?=[0-9])/, '') : digits;
}

/** Returns a string for a header or a form part, as the caller wrote it. A lone surrogate has no UTF-8 form. */
export function checkedText(text: string, name: string): string {
  if (text.isWellFormed() && !controlCharacter.test(text)) return text;
  throw badUserInput(`${name} must not contain control characters or lone surrogates.`);
}

export function checkedHeader(value: string, name: string): string {
  if (value.length <= maxHeaderLength) return value;
  throw badUserInput(`${name} must be at most ${maxHeaderLength} bytes after its encoding for a header.`);
}

/** The texts and the parameter names of each path, alternately. */
const pathParts = new WeakMap<Endpoint, readonly string[]>();

/** Returns the endpoint's path with its parameters inserted: each a checked id, percent-encoded. */
export function endpointPath(endpoint: Endpoint, parameters: Readonly<Record<string, string>> = {}): string {
  const parts = pathParts.getOrInsertComputed(endpoint, () => endpoint.path.split(/\{(\w+)\}/));
  let path = '';
  parts.forEach((part, at) => {
    path += at % 2 === 0 ? part : encodeURIComponent(checkedId(parameters[part] ?? '', part));
  });
  return path;
}

/**
 * Whether a usable response of the endpoint proves the caller's credentials: it requires all that the caller has. An
 * endpoint may ignore a credential that it does not require.
 */
export function provesCredentials(credentials: Credentials, { requiredCredentials }: Endpoint): boolean {
  const given = (['apiKey', 'authorization'] as const).filter((name) => credentials[name] !== undefined);
  return given.length > 0 && given.every((name) => requiredCredentials.includes(name));
}

/** Throws UNAUTHENTICATED when the caller did not supply a credential that the endpoint requires. */
export function requireCredentials(credentials: Credentials, endpoint: Endpoint): void {
  const { operation, requiredCredentials } = endpoint;
  const missing = requiredCredentials.filter((name) => credentials[name] === undefined);
  if (missing.length === 0) return;
  const headers = missing.map((name) => credentialHeaders[name]).join(' and ');
  const message = `${operation} requires the ${missing.length > 1 ? 'headers' : 'header'} ${headers}; nothing was sent.`;
  throw new GatewayError({ code: 'UNAUTHENTICATED', message });
}

/** Returns the headers of every call, in addition to those of its endpoint: both credentials exactly as the caller gave them. */
export function requestHeaders(
  { credentials, requestId }: Caller,
  userAgent: string,
): Readonly<Record<string, string | undefined>> {
  return {
    accept: 'application/json',
    'user-agent': userAgent,
    'x-request-id': requestId,
    [credentialHeaders.apiKey]: credentials.apiKey,
    [credentialHeaders.authorization]: credentials.authorization,
  };
}
