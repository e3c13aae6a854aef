/** Which setting moves each bound. */
import { type Bound, ownBounds, type SharedBound, sharedBounds } from '../../src/bound-names.ts';

const heap =
  'the memory of the process: NODE_OPTIONS=--max-old-space-size=… (the bound is a share of the heap)';
const connections = 'UPSTREAM_CONNECTIONS';
const keys =
  'the maxmemory of Redis, without REDIS_URL the memory of the process, or a shorter IDEMPOTENCY_TTL_MS';
const concurrency = 'UPSTREAM_CONCURRENCY_PER_CALLER';

interface Setting {
  /** For all callers together, and for all newcomers. */
  readonly all: string;
  /** For one caller. */
  readonly owner: string;
}

const shared: Readonly<Record<SharedBound, Setting>> = {
  slots: { all: connections, owner: concurrency },
  uploads: {
    all: `${connections} (half of them are for files)`,
    owner: `${connections} (an eighth of them is for the files of one caller)`,
  },
  waiting: {
    all: `${heap}; or ${connections}, so that fewer calls wait`,
    owner: `${concurrency}, if the service carries more calls at the same time; or MAX_OPERATION_COST above 200`,
  },
  files: { all: heap, owner: heap },
  watches: {
    all: `${heap}, or one gateway more`,
    owner: `${heap}; above that, 10,000 documents of one caller are fixed`,
  },
  subscriptions: { all: heap, owner: heap },
  joins: { all: heap, owner: heap },
  documents: { all: heap, owner: 'PERSISTED_OPERATIONS: documents of a manifest do not count' },
  variables: { all: heap, owner: heap },
  writes: { all: heap, owner: heap },
  bodies: { all: heap, owner: heap },
  responses: { all: heap, owner: heap },
  results: { all: heap, owner: 'none: the client has to read its results' },
  ledger: {
    all: keys,
    owner: keys,
  },
  sockets: {
    all: `MAX_SOCKETS and ${heap}, or one gateway more`,
    owner: `MAX_SOCKETS and ${heap}`,
  },
  streams: { all: heap, owner: heap },
  admission: { all: 'one gateway more, or more CPU', owner: 'one gateway more, or more CPU' },
  rate: { all: 'RATE_LIMIT_PER_MINUTE', owner: 'RATE_LIMIT_PER_MINUTE' },
};

const own: Readonly<Record<keyof typeof ownBounds, string>> = {
  request: 'MAX_REQUEST_BYTES',
  file: 'MAX_UPLOAD_BYTES',
  xml: 'MAX_XML_BYTES',
  operation: 'none: the bounds of an operation are fixed (docs/limits.md). Split the operation',
  cost: 'MAX_OPERATION_COST',
  result:
    'none: the bounds of a result are fixed (docs/limits.md). Request fewer rows with first and skip, or csv',
  'subscriptions-per-socket': 'none: 200 are fixed. Open another WebSocket',
  shutdown: 'SHUTDOWN_DELAY_MS, and a balancer that checks /ready; of a call in progress SHUTDOWN_GRACE_MS',
  service: 'none of the gateway: ask the operators of the document service',
  balancer: 'limit_req and limit_conn in ops/nginx.conf',
};

/** What the bound is, in words, for whom it counts, and the setting that moves it. */
export function describeBound(bound: Bound): { readonly what: string; readonly setting: string } {
  if (bound in own) {
    const name = bound as keyof typeof ownBounds;
    return { what: `${ownBounds[name].replaceAll('`', '')}`, setting: own[name] };
  }
  const [name, part] = bound.split(/-(newcomers|owner)$/) as [SharedBound, string?];
  const { all, owner } = shared[name];
  if (part === 'owner') return { what: `${sharedBounds[name]}, of this one caller`, setting: owner };
  const whom =
    part === 'newcomers' ? 'of all callers whom the service has not accepted yet' : 'of all callers';
  return { what: `${sharedBounds[name]}, ${whom}`, setting: all };
}
