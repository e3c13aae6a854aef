/** The endpoints of the service, under the names that faults and the list of calls use. */
import type { Clock } from './clock.ts';
import type { Course } from './course.ts';
import type { Endpoint } from './endpoint.ts';
import { exportEndpoint } from './export.ts';
import { fapiaoEndpoint } from './fapiao.ts';
import { groupEndpoint } from './group.ts';
import { malaysiaImportEndpoint, malaysiaStatusEndpoint } from './malaysia.ts';
import { mexicoEndpoint } from './mexico.ts';
import { scanEndpoint } from './scan.ts';
import type { Documents } from './store.ts';

interface Parts {
  readonly documents: Documents;
  readonly clock: Clock;
  readonly course: Course;
  /** Factor by which imported e-invoices are processed faster. */
  readonly speed: number;
}

const factories = {
  scan: ({ documents }) => scanEndpoint(documents),
  createGroup: ({ clock }) => groupEndpoint(clock),
  export: ({ documents }) => exportEndpoint(documents),
  mexicoStatus: mexicoEndpoint,
  fapiao: fapiaoEndpoint,
  malaysiaImport: malaysiaImportEndpoint,
  malaysiaStatus: malaysiaStatusEndpoint,
} satisfies Readonly<Record<string, (parts: Parts) => Endpoint>>;

export type EndpointName = keyof typeof factories;

export const endpointNames = Object.keys(factories) as readonly EndpointName[];

export interface NamedEndpoint extends Endpoint {
  readonly name: EndpointName;
}

export function createEndpoints(parts: Parts): readonly NamedEndpoint[] {
  return endpointNames.map((name) => ({ name, ...factories[name](parts) }));
}
