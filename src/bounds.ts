/** The closed list of bounds: their names are in errors, log lines and metrics. */

/**
 * What callers share. Each of these bounds has three parts: for all callers (the name itself), for all newcomers together
 * (`-newcomers`) and for one caller (`-owner`). The value completes "the bound of …". docs/reference/errors.md is generated
 * from this, as from `ownBounds`.
 */
export const sharedBounds = {
  slots: 'calls to the document service at the same time',
  uploads: 'files that are being sent to the document service',
  files: 'uploaded files that are being read, or wait until they are',
  waiting: 'calls that wait for the document service',
  watches: 'watched documents',
  subscriptions: 'different documents and variables of subscriptions',
  joins: 'operations that wait for a call of another one',
  documents: 'different documents of operations in progress',
  variables: 'variables of operations in progress',
  writes: 'bytes that are being written to the document service',
  bodies: 'request bodies that are being read',
  responses: 'responses of the document service that are being read',
  results: 'results that were requested and are not read',
  ledger: 'idempotency keys',
  sockets: 'WebSockets and event streams',
  streams: 'event streams',
  rate: 'operations per minute',
  admission: 'requests and operations that wait until the process has time for them',
} as const;

/** Bounds of one operation, request or socket, and those that are not the gateway's own. */
export const ownBounds = {
  request: '`MAX_REQUEST_BYTES`',
  file: '`MAX_UPLOAD_BYTES`',
  xml: '`MAX_XML_BYTES`',
  operation: 'length, depth and width of an operation',
  cost: '`MAX_OPERATION_COST`, and values that the operation could return',
  result: 'values and bytes of one result',
  'subscriptions-per-socket': 'operations in progress on one WebSocket',
  shutdown: 'the time that is left before the gateway stops',
  service: 'a bound of the document service',
  balancer: 'requests or connections of one address, at the balancer (`ops/nginx.conf`)',
} as const;

export type SharedBound = keyof typeof sharedBounds;

/** The closed list of bounds. */
export type Bound =
  | keyof typeof ownBounds
  | SharedBound
  | `${SharedBound}-newcomers`
  | `${SharedBound}-owner`;

const parts = (name: SharedBound): readonly Bound[] => [name, `${name}-newcomers`, `${name}-owner`];

/** Their names, in the order of the tables. */
export const boundNames: readonly Bound[] = [
  ...(Object.keys(sharedBounds) as SharedBound[]).flatMap(parts),
  ...(Object.keys(ownBounds) as (keyof typeof ownBounds)[]),
];
