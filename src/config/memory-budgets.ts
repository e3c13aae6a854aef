/** How much each part of the process may hold, in bytes or in number, by the size of the V8 heap. */
import { env, execArgv } from 'node:process';
import { getHeapStatistics } from 'node:v8';

const KiB = 1024;
const MiB = 1024 * KiB;

/**
 * Each part's share of the heap in 32nds (15.95 together, so less than half of it) and its upper bound in MiB. All but
 * `documentCache` are bounds, by their names in bound-names.ts.
 */
const shares = {
  bodies: [1.5, 256],
  joins: [1, 256],
  variables: [1.25, 256],
  documents: [1, 256],
  writes: [2, 256],
  /** Unused with Redis. */
  ledger: [1.5, 256],
  /** Cache of parsed and validated documents. */
  documentCache: [1, 8],
  subscriptions: [2, 256],
  watches: [1, 256],
  waiting: [1.25, 256],
  results: [1.5, 256],
  admission: [0.95, 32],
} as const;

/**
 * Size of V8's young generation (bytes), three semi-spaces: 96 MiB unless `--max-semi-space-size` says otherwise. What callers hold
 * for longer leaves it.
 */
function youngBytes(): number {
  // The command line counts before NODE_OPTIONS.
  const options = [env['NODE_OPTIONS'], ...execArgv].join(' ');
  const [, given] = [...options.matchAll(/--max[-_]semi[-_]space[-_]size=(\d+)/g)].at(-1) ?? [];
  // V8 takes the next power of two, and its default for 0.
  return 3 * 2 ** Math.ceil(Math.log2(Number(given) || 32)) * MiB;
}

/** The heap of the process for what lives longer (bytes): `--max-old-space-size`, or V8's default. */
export function heapSize(): number {
  return Math.max(getHeapStatistics().heap_size_limit - youngBytes(), 16 * MiB);
}

/** The bytes that each part may hold. */
export function memoryBudgets(heapBytes: number) {
  const bytes = Object.entries(shares).map(([part, [share, most]]) => [
    part,
    Math.min(Math.floor((heapBytes * share) / 32), most * MiB),
  ]);
  return Object.fromEntries(bytes) as Readonly<Record<keyof typeof shares, number>>;
}

/**
 * Bytes that the responses of the service may hold while they are read: a quarter of the heap, at least two of the
 * largest (64 MiB) and at most 512 MiB. They are buffers outside the V8 heap.
 */
export function responsesBytes(heapBytes: number): number {
  return Math.min(Math.max(Math.floor(heapBytes / 4), 64 * MiB), 512 * MiB);
}

/** Bounds on the numbers of connections and other items that hold memory. `mostSockets`: MAX_SOCKETS. */
export function countBounds(heapBytes: number, mostSockets: number) {
  const oneForEach = (bytes: number) => Math.floor(heapBytes / bytes);
  // An idle WebSocket takes 10 KiB: all together a third of the heap.
  const sockets = Math.min(mostSockets, oneForEach(32 * KiB));
  return {
    /** WebSockets and event streams. */
    sockets,
    /** Each takes up to 40 KiB, with the head of its request: all together a quarter of the heap, newcomers half of that. */
    streams: oneForEach(160 * KiB),
    /** Connections that wait for a request: each may hold an incomplete head of 16 KiB, together an eighth of the heap. */
    idleConnections: oneForEach(128 * KiB),
    /** TCP connections: the sockets, and more than the bounds on what requests hold and on idle connections allow. */
    connections: sockets + oneForEach(32 * KiB),
    /**
     * Uploaded files that are being read or wait: each holds up to 256 KiB in buffers of Node and of the parser, outside the
     * heap, together a quarter of its size.
     */
    files: oneForEach(1024 * KiB),
  };
}
