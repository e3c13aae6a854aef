/** What a workload of HTTP requests is. W6, W7 and W8 are measured otherwise and stand in files of their own. */

export interface Requests {
  readonly contentType: string;
  readonly bodies: readonly (string | Buffer)[];
}

export interface HttpWorkload {
  readonly name: string;
  readonly title: string;
  readonly requests: Requests;
  /** The same for gateways that pass the service's own shapes on, and what `data` must be then. */
  readonly wire?: { readonly requests: Requests; readonly expected: (index: number) => unknown };
  /** Names of the contenders that take part, LIMIT aside. */
  readonly contenders: readonly string[];
  /** Requests under way at a time. */
  readonly connections: number;
  /** Of the upstream, before each answer (ms). */
  readonly delayMs?: number;
  readonly warmupSeconds?: number;
  /** What is compared with LIMIT's. Default: CPU time per request. */
  readonly judgedBy?: 'cpu' | 'p99';
  /** Of these contenders one request must cause exactly so many calls. */
  readonly calls?: { readonly contenders: readonly string[]; readonly count: number };
  readonly goals: readonly Goal[];
}

/** The gateway's median is at most `factor` times that of a contender. */
export interface Goal {
  readonly name: string;
  readonly factor: number;
  readonly of: string;
}

export const everyPeer = ['gateway', 'mercurius', 'yoga', 'apollo', 'hive', 'tailcall'];

export function jsonRequests(bodies: readonly object[]): Requests {
  return { contentType: 'application/json', bodies: bodies.map((body) => JSON.stringify(body)) };
}
