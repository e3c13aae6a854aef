/** Fields that call the document service, described by their endpoint. */
import { type Credentials, credentialHeaders } from '../caller.ts';
import type { Endpoint } from '../upstream/endpoint.ts';

/** The extensions of a field about its calls to the document service and the size of its result. */
export interface UpstreamCallsExtension {
  /** Credentials that its calls require. Default: none. */
  readonly requiredCredentials?: readonly (keyof Credentials)[];
  /** Calls that the field causes for each parent object. Default: 1 for a root field, else 0. */
  readonly calls?: number;
  /** Name of a list argument. Each of its members causes the field's calls, and a member of the field's list. */
  readonly callsForEach?: string;
  /** Most members of the field's list, where known. */
  readonly maxMembers?: number;
  /** Path in the root field's arguments to the list of which each member requests a member of the field's list. */
  readonly requestedBy?: readonly string[];
}

/**
 * Returns the description and the extensions of a root field that calls `endpoint`: its REST call and its credentials
 * follow `description`. `callsForEach`: the list argument of which each member causes a call.
 */
export function serviceField(endpoint: Endpoint, description: string, callsForEach?: string) {
  const { method, path, requiredCredentials } = endpoint;
  const headers = requiredCredentials.map((name) => `\`${credentialHeaders[name]}\``).join(' and ');
  const credentials =
    headers || 'the service’s document does not state which ones are required; the caller’s are sent';
  const each = callsForEach ? ' for each' : '';
  return {
    description: `${description} REST: \`${method} ${path}\`${each}. Credentials: ${credentials}.`,
    extensions: {
      requiredCredentials,
      ...(callsForEach && { callsForEach }),
    } satisfies UpstreamCallsExtension,
  };
}
