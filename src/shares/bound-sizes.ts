/** How much of each bound there is, and the parts of newcomers and of one owner. `bound-names.ts` names the files that hold it. */
import type { SharedBound } from '../bound-names.ts';
import type { Config } from '../config/config.ts';

/** A bound with its three parts. */
export interface Share {
  readonly bound: SharedBound;
  /** Most for all callers together. */
  readonly all: number;
  /** Most for all newcomers together: anyone can invent credentials, and callers who do so cannot use more. Default: half. */
  readonly newcomers: number;
  /** Most for one owner. Default: a quarter. */
  readonly owner: number;
  /**
   * Whether one owner may also hold at most as much as is left for the others. For what is kept for hours: the owner who
   * holds most is refused first. Default: no.
   */
  readonly leavesRoom: boolean;
}

type Parts = Partial<Pick<Share, 'newcomers' | 'owner' | 'leavesRoom'>>;

/**
 * Part for one owner, where all users of an application share its API key and so count as one owner. Used where others can
 * displace what the owner holds, or where newcomers have a half of their own.
 */
export const applicationPart = 3 / 4;

/** Each part is at least 1. */
export function shareOf(bound: SharedBound, all: number, parts: Parts = {}): Share {
  const { newcomers = all / 2, owner = all / 4, leavesRoom = false } = parts;
  const part = (size: number) => Math.max(1, Math.floor(size));
  return { bound, all: part(all), newcomers: part(newcomers), owner: part(owner), leavesRoom };
}

/** The share of a bound of which all users of an application may have `applicationPart`. */
export function applicationShareOf(bound: SharedBound, all: number, parts: Parts = {}): Share {
  return shareOf(bound, all, { owner: all * applicationPart, ...parts });
}

/** Without `rate`, which is a number of operations in time. */
export type SharesByBound = Readonly<Record<Exclude<SharedBound, 'rate'>, Share>>;

/** Memory of a watch without its subscribers, with a value without long texts: measured (bytes). */
export const watchBytes = 2_560;
/** Memory of a call that waits (bytes), measured: 4 KiB with its field and promises, and 18 to 28 KiB more with its request. */
const waitingCallBytes = 16 * 1_024;
/** Memory of an operation in progress without its call (bytes), measured: 8 KiB over a WebSocket, 20 KiB over HTTP. */
export const joinBytes = 16 * 1_024;
/** Calls of one owner that may wait, whether it is a newcomer or not: two lists of 100. */
const leastWaitingPerOwner = 200;

export function createSharesByBound({
  counts,
  limits,
  memory,
  upstream,
}: Pick<Config, 'counts' | 'limits' | 'memory' | 'upstream'>): SharesByBound {
  const waitingCalls = memory.waiting / waitingCallBytes;
  return {
    slots: shareOf('slots', upstream.connections, { owner: upstream.concurrencyPerCaller }),
    // Their callers decide how long they last.
    uploads: shareOf('uploads', Math.ceil(upstream.connections / 2)),
    files: applicationShareOf('files', counts.files),
    // While nothing else waits there is room for the calls of one operation, if they fit into 7/8 of the bound.
    waiting: shareOf('waiting', waitingCalls, {
      newcomers: Math.max(waitingCalls / 2, (leastWaitingPerOwner * 8) / 7),
      owner: Math.max(leastWaitingPerOwner, limits.maxOperationCost),
    }),
    // On a small heap one caller's watches could fill the bound.
    watches: shareOf('watches', memory.watches, {
      owner: Math.min(limits.maxWatchesPerCaller * watchBytes, memory.watches / 2),
    }),
    // All users of an application count as one owner. The other newcomers have the rest of their half.
    subscriptions: shareOf('subscriptions', memory.subscriptions, { owner: (memory.subscriptions * 3) / 8 }),
    joins: applicationShareOf('joins', memory.joins / joinBytes),
    documents: shareOf('documents', memory.documents),
    variables: shareOf('variables', memory.variables),
    writes: shareOf('writes', memory.writes),
    // Bodies compete by the time that they take, so that newcomers need no part of their own.
    bodies: applicationShareOf('bodies', memory.bodies, { newcomers: memory.bodies }),
    // A caller's first response may be one of the largest.
    responses: applicationShareOf('responses', memory.responses, {
      newcomers: Math.max(memory.responses / 2, 2 * upstream.maxResponseBytes),
    }),
    results: applicationShareOf('results', memory.results),
    // Without Redis. In Redis it depends on `maxmemory`: bounded-redis-store.ts.
    ledger: shareOf('ledger', memory.ledger, { leavesRoom: true }),
    sockets: applicationShareOf('sockets', counts.sockets),
    streams: applicationShareOf('streams', counts.streams),
    // A caller with few requests displaces one of the busiest.
    admission: applicationShareOf('admission', memory.admission),
  };
}
