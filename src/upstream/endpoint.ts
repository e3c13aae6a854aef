import { type Caller, type Credentials, credentialHeaders } from '../caller.ts';
import { GatewayError } from '../errors.ts';
import type { TraceParent } from '../telemetry/tracing.ts';
import { checkedId } from './checked-input.ts';

export interface Endpoint {
  /** Name in errors, logs and metrics: the GraphQL field that calls the endpoint, or the first of several. */
  readonly name: string;
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
  /** The member of the response with its result, named after the operation. Default: the response is the result. */
  readonly envelope?: string;
  /**
   * Where the members of the request are in the field's arguments, by their names at the service. Reasons of a refusal name
   * members. Default: none.
   */
  readonly inputPaths?: Readonly<Record<string, readonly string[]>>;
}

/** Returns the endpoint's path with its parameters inserted: each a checked id, percent-encoded. */
export function endpointPath(endpoint: Endpoint, parameters: Readonly<Record<string, string>> = {}): string {
  return endpoint.path.replace(/\{(\w+)\}/g, (_parameter, name: string) =>
    encodeURIComponent(checkedId(parameters[name] ?? '', name)),
  );
}

/** Throws UNAUTHENTICATED when the caller did not supply a credential that the endpoint requires. */
export function requireCredentials(credentials: Credentials, endpoint: Endpoint): void {
  const { requiredCredentials } = endpoint;
  const missing = requiredCredentials.filter((credential) => credentials[credential] === undefined);
  if (missing.length === 0) return;
  const headers = missing.map((credential) => credentialHeaders[credential]).join(' and ');
  const message = `${endpoint.name} requires the ${missing.length > 1 ? 'headers' : 'header'} ${headers}; nothing was sent.`;
  throw new GatewayError({ code: 'UNAUTHENTICATED', message });
}

/**
 * The headers of every call, in addition to those of its endpoint: both credentials exactly as the caller gave them. One that is
 * undefined is not sent.
 */
export function requestHeaders(
  { credentials, requestId }: Pick<Caller, 'credentials' | 'requestId'>,
  userAgent: string,
  { traceparent, tracestate }: TraceParent,
): Readonly<Record<string, string | undefined>> {
  return {
    accept: 'application/json',
    'user-agent': userAgent,
    'x-request-id': requestId,
    [credentialHeaders.apiKey]: credentials.apiKey,
    [credentialHeaders.authorization]: credentials.authorization,
    traceparent,
    tracestate,
  };
}
