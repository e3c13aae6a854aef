/**
 * The closed list of bounds: their names are in errors, log lines and metrics. Above each one: the files that hold it. Their
 * sizes are in shares/bound-sizes.ts. Without polls (watch/poll-budget.ts) and the documents that are kept for later
 * operations (operation/document-cache.ts): both refuse nothing. TCP connections have no name here, because one that is
 * closed gets no error: config/memory-budgets.ts sets their numbers, http/listen.ts bounds all, and
 * http/connection/idle-connections.ts those that wait for a request.
 */

/**
 * What callers share. Each of these bounds has three parts: for all callers (the name itself), for all newcomers together
 * (`-newcomers`) and for one caller (`-owner`). The value completes "the bound of …". docs/reference/errors.md is generated
 * from this, as from `ownBounds`.
 */
export const sharedBounds = {
  /** shares/calls-and-uploads.ts */
  slots: 'calls to the document service at the same time',
  /** shares/calls-and-uploads.ts */
  uploads: 'files that are being sent to the document service',
  /** http/graphql/graphql-request.ts, http/graphql/multipart-request.ts */
  files: 'uploaded files that are being read, or wait until they are',
  /** shares/calls-and-uploads.ts */
  waiting: 'calls that wait for the document service',
  /** watch/watch-budget.ts */
  watches: 'watched documents',
  /** operation/operation-memory.ts */
  subscriptions: 'different documents and variables of subscriptions',
  /** upstream/client.ts, state/ledger/ledger.ts */
  joins: 'operations that wait for a call of another one',
  /** operation/operation-memory.ts: with their plans */
  documents: 'different documents of operations in progress',
  /** operation/operation-memory.ts: of queries only, the results */
  variables: 'variables and large results of operations in progress',
  /** upstream/client.ts */
  writes: 'bytes that are being written to the document service',
  /** http/graphql/request-body.ts, http/graphql/multipart-request.ts, http/graphql/rest-of-body.ts, http/connection/pipelining.ts, http/websocket/inbox.ts */
  bodies: 'request bodies that are being read',
  /** upstream/call/response-body.ts, http/unread-results.ts */
  responses: 'responses of the document service that are being read',
  /** http/unread-results.ts */
  results: 'results that were requested and are not read',
  /** state/ledger/memory-store.ts, state/ledger/bounded-redis-store.ts, state/ledger/redis-store.ts */
  ledger: 'idempotency keys',
  /** shares/sockets-and-streams.ts */
  sockets: 'WebSockets and event streams',
  /** shares/sockets-and-streams.ts */
  streams: 'event streams',
  /** shares/rate-limit.ts */
  rate: 'operations per minute',
  /** shares/admission.ts */
  admission: 'requests and operations that wait until the process has time for them',
} as const;

/** Bounds of one operation, request or socket, and those that are not the gateway's own. */
export const ownBounds = {
  /** http/graphql/request-body.ts, http/graphql/multipart-request.ts */
  request: '`MAX_REQUEST_BYTES`',
  /** http/graphql/multipart-request.ts */
  file: '`MAX_UPLOAD_BYTES`',
  /** features/fapiao/fapiao.schema.ts */
  xml: '`MAX_XML_BYTES`',
  /** operation/limits.ts, operation/valid-document.ts, operation/error-masking.ts */
  operation: 'length, depth and width of an operation',
  /** operation/cost.ts */
  cost: '`MAX_OPERATION_COST`, and values that the operation could return',
  /** operation/result-limit.ts, features/document-export/export-table.ts */
  result: 'values and bytes of one result',
  /** http/websocket/operations.ts */
  'subscriptions-per-socket': 'operations in progress on one WebSocket',
  /** http/graphql/graphql-endpoint.ts, http/graphql/graphql-request.ts, http/server.ts, http/websocket/operations.ts, upstream/client.ts, upstream/call/attempt.ts */
  shutdown: 'the time that is left before the gateway stops',
  service: 'a bound of the document service',
  balancer: 'requests or connections of one address, at the balancer (`ops/nginx.conf`)',
} as const;

export type SharedBound = keyof typeof sharedBounds;

export type Bound =
  | keyof typeof ownBounds
  | SharedBound
  | `${SharedBound}-newcomers`
  | `${SharedBound}-owner`;

/** The parts of a bound that callers share, the widest first. */
export const parts = ['all', 'newcomers', 'owner'] as const;
export type Part = (typeof parts)[number];

export function partOf(bound: SharedBound, part: Part): Bound {
  return part === 'all' ? bound : `${bound}-${part}`;
}

export const boundNames: readonly Bound[] = [
  ...(Object.keys(sharedBounds) as SharedBound[]).flatMap((bound) =>
    parts.map((part) => partOf(bound, part)),
  ),
  ...(Object.keys(ownBounds) as (keyof typeof ownBounds)[]),
];
