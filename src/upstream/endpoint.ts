import type { Credentials } from '../caller.ts';
import { badUserInput, GatewayError } from '../errors.ts';
import { ExactNumber } from './exact-json.ts';

export type CredentialHeader = 'x-api-key' | 'authorization';

/** One call that the service offers: a row of the endpoint table. */
export interface Endpoint {
  /** The name in errors, logs and metrics: that of the GraphQL field it stands behind. */
  readonly operation: string;
  readonly method: 'GET' | 'POST';
  /** Below the base address; `{name}` stands for a path parameter. */
  readonly path: string;
  /** Credentials without which no call is made. Both are sent whenever the caller gave them. */
  readonly requiredCredentials: readonly CredentialHeader[];
  /**
   * A read is shared within a lane while in flight, retried, and aborted when its last caller leaves.
   * A write is sent once, runs to its end whoever leaves, and tells its side effect.
   */
  readonly kind: 'read' | 'write';
}

/** Longest id in a path, in UTF-16 code units. */
const maxIdLength = 128;
/** Longest text in a header or a form part, in UTF-16 code units: a header must stay well below what servers accept. */
const maxTextLength = 500;
const controlCharacter = /\p{Cc}/u;

/**
 * An id for a path, as the caller wrote it. Percent-encoding keeps a separator out of the path, but not a dot
 * segment, and some servers decode before they route: what could name another path is refused.
 */
export function checkedId(id: string, name: string): string {
  const isFit = id !== '' && id.length <= maxIdLength && id.isWellFormed() && !controlCharacter.test(id);
  if (isFit && id !== '.' && id !== '..' && !/[/\\?#]/.test(id)) return id;
  throw badUserInput(
    `${name} must be 1 to ${maxIdLength} characters, none of them "/", "\\", "?", "#" or a control character, and not "." or "..".`,
  );
}

/** An id that the service calls numeric: 1 to 19 digits, as the caller wrote them. */
export function numericId(id: string, name: string): string {
  if (/^[0-9]{1,19}$/.test(id)) return id;
  throw badUserInput(`${name} must be 1 to 19 digits.`);
}

/** A numeric id as a JSON integer, which has no leading zeros. */
export function integerId(id: string, name: string): ExactNumber {
  return ExactNumber.parse(numericId(id, name).replace(/^0+(?=[0-9])/, '')) as ExactNumber;
}

/** A text for a header or a form part, as the caller wrote it. */
export function checkedText(text: string, name: string): string {
  const isFit = text !== '' && text.length <= maxTextLength && text.isWellFormed();
  if (isFit && !controlCharacter.test(text)) return text;
  throw badUserInput(`${name} must be 1 to ${maxTextLength} characters, none of them a control character.`);
}

/** The endpoint's path with its parameters in place, each a checked id, percent-encoded. */
export function endpointPath(endpoint: Endpoint, parameters: Readonly<Record<string, string>> = {}): string {
  return endpoint.path.replace(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(checkedId(parameters[name] ?? '', name)),
  );
}

const members = { 'x-api-key': 'apiKey', authorization: 'authorization' } as const;

/** Refuses a call whose endpoint demands a credential that the caller did not give. */
export function requireCredentials(
  credentials: Credentials,
  demanded: readonly CredentialHeader[],
  operation: string,
): void {
  if (demanded.every((name) => credentials[members[name]] !== undefined)) return;
  const missing = demanded.filter((name) => credentials[members[name]] === undefined);
  const headers = missing.map((name) => (name === 'authorization' ? 'Authorization' : name)).join(' and ');
  throw new GatewayError({
    code: 'UNAUTHENTICATED',
    message: `${operation} needs the ${missing.length > 1 ? 'headers' : 'header'} ${headers}; nothing was sent.`,
  });
}
