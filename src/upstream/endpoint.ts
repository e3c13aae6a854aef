import { badUserInput } from '../errors.ts';
import type { CredentialHeader } from './credentials.ts';
import { ExactNumber } from './exact-json.ts';

/** One call that the service offers: a row of the endpoint table. */
export interface Endpoint {
  /** The name in errors, logs and metrics: that of the GraphQL field it stands behind. */
  readonly operation: string;
  readonly method: 'GET' | 'POST';
  /** Below the base address; `{name}` stands for a path parameter. */
  readonly path: string;
  /** Credentials without which no call is made. Both are sent whenever the caller gave them. */
  readonly demands: readonly CredentialHeader[];
  /**
   * A read is shared within a lane while in flight, retried, and aborted when its last caller leaves.
   * A write is sent once, runs to its end whoever leaves, and tells its side effect.
   */
  readonly kind: 'read' | 'write';
}

const identifier = /^[A-Za-z0-9_-]{1,128}$/;
const numericIdentifier = /^(0|[1-9][0-9]{0,18})$/;

/**
 * An id that may stand in a path, a header or a form field. `encodeURIComponent('..')` is `..`: only a
 * pattern keeps an id from naming another path.
 */
export function checkedId(id: string, name: string): string {
  if (identifier.test(id)) return id;
  throw badUserInput(`${name} must be 1 to 128 letters, digits, "_" or "-".`);
}

/** An id that the interface document calls an integer, as those digits: a number on the wire. */
export function numericId(id: string, name: string): ExactNumber {
  const number = numericIdentifier.test(id) ? ExactNumber.parse(id) : null;
  if (number === null) throw badUserInput(`${name} must be a whole number of at most 19 digits.`);
  return number;
}

/** The endpoint's path with its parameters in place, each a checked id. */
export function endpointPath(endpoint: Endpoint, parameters: Readonly<Record<string, string>> = {}): string {
  return endpoint.path.replace(/\{(\w+)\}/g, (_match, name: string) =>
    checkedId(parameters[name] ?? '', name),
  );
}
