/** The endpoints of the service, under the names that faults and the list of calls use. */
import type { Endpoint, SandboxParts } from './endpoint.ts';
import * as factories from './endpoints/index.ts';

export type EndpointName = keyof typeof factories;

export const endpointNames = Object.keys(factories).sort() as readonly EndpointName[];

export interface NamedEndpoint extends Endpoint {
  readonly name: EndpointName;
}

export function createEndpoints(parts: SandboxParts): readonly NamedEndpoint[] {
  return Object.entries(factories).map(([name, create]) => ({
    name: name as EndpointName,
    ...create(parts),
  }));
}
