/** A workload of HTTP requests. W6, W7 and W8 are measured in other ways, in separate files. */

export interface Requests {
  readonly contentType: string;
  readonly bodies: readonly (string | Buffer)[];
}

export interface HttpWorkload {
  readonly name: string;
  readonly title: string;
  readonly requests: Requests;
  /** The same for gateways that pass the service's own shapes on, with the expected `data`. */
  readonly wire?: { readonly requests: Requests; readonly expected: (index: number) => unknown };
  /** Names of the contenders, without LIMIT. */
  readonly contenders: readonly string[];
  /** Requests in flight at the same time. */
  readonly connections: number;
  /** Shortest slice (s), for requests that take long. Default 1. */
  readonly leastSeconds?: number;
  /** Delay of the upstream before each response (ms). */
  readonly delayMs?: number;
  /** Callers that the requests belong to in turn. Default 1. */
  readonly callers?: number;
  /** The rate of a second slice, for contenders that can serve a fifth more. */
  readonly requestsPerSecond?: number;
  /** The measure that is compared with LIMIT's. Default: CPU time per request. */
  readonly judgedBy?: 'cpu' | 'p99';
  /** Exact number of calls that one request must cause, for these contenders. */
  readonly calls?: { readonly contenders: readonly string[]; readonly count: number };
  readonly goals: readonly Goal[];
}

/** Length of a slice (s). `seconds`: the option. */
export function sliceSeconds({ leastSeconds = 1 }: HttpWorkload, seconds: number): number {
  return Math.max(seconds, leastSeconds);
}

/** The gateway's median is at most `factor` times that of a contender. */
export interface Goal {
  readonly name: string;
  readonly factor: number;
  readonly of: string;
}

export const everyPeer = [
  'gateway',
  'floor',
  'mercurius',
  'mercurius-production',
  'yoga',
  'apollo',
  'hive',
  'tailcall',
];

export function jsonRequests(bodies: readonly object[]): Requests {
  return { contentType: 'application/json', bodies: bodies.map((body) => JSON.stringify(body)) };
}
