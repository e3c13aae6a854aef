/**
 * The end of the HTTP server: nothing that is in progress is cut without a response. Before it gateway.ts sets the phase, and
 * waits for SHUTDOWN_DELAY_MS.
 */
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../telemetry/log.ts';
import type { OpenResponses, TrackedResponse } from './open-responses.ts';
import type { ResponseProgress } from './request-and-response.ts';
import { closeStaggered } from './staggered-closing.ts';
import type { WebSocketEndpoint } from './websocket/server.ts';

interface DrainOptions {
  readonly server: Server;
  /** Stops accepting connections. Resolves when all have closed. */
  readonly stopListening: () => Promise<unknown>;
  readonly webSockets: WebSocketEndpoint;
  readonly eventStreams: ReadonlySet<ResponseProgress>;
  readonly responses: OpenResponses;
  /** Requests that arrive from now on are refused. */
  readonly refuse: () => void;
  /** Resolves when the requests that have arrived on open connections have been read. */
  readonly whenRead: () => Promise<void>;
  /** Sends an error in place of a response that has not begun: its operation has not run. */
  readonly refuseLate: (response: TrackedResponse) => void;
  readonly log: Log;
}

export interface DrainTime {
  /** Longest time to finish what is in progress (ms). */
  readonly graceMs: number;
  /** Resolves at its end, when all calls to the service have been ended with an error. */
  readonly graceOver: Promise<void>;
}

/** Sockets are closed within this time at the latest (ms), and within a third of the grace time. */
const maxSpreadMs = 12_000;
/**
 * How long requests on open connections are still accepted (ms), at most a twelfth of the grace time. A balancer sends
 * some on connections that it has kept open; each response asks it to close its connection.
 */
const maxOpenMs = 3_000;
/** How long the responses of calls that were ended may take after the grace time, and then the last refusals (ms). */
const lastResponsesMs = 500;

/** Keeps no process running. */
const pause = (ms: number) => sleep(ms, undefined, { ref: false });

/** Time over which sockets and event streams are closed evenly (ms). */
export function spreadMsOf(graceMs: number): number {
  return Math.min(graceMs / 3, maxSpreadMs);
}

/** How long requests on open connections are still accepted (ms). */
export function openMsOf(graceMs: number): number {
  return Math.min(graceMs / 12, maxOpenMs);
}

/**
 * Resolves with `finished`, or shortly after the grace time. `endLate` is called when the last responses had time: all calls
 * to the service have ended then, and with them the operations that had begun.
 */
export async function finishedOrLate(
  finished: Promise<unknown>,
  graceOver: Promise<void>,
  endLate: () => void,
): Promise<void> {
  const late = graceOver.then(async () => {
    await Promise.race([finished, pause(lastResponsesMs)]);
    endLate();
    await Promise.race([finished, pause(lastResponsesMs)]);
  });
  await Promise.race([finished, late]);
}

/**
 * Stops listening, so that a balancer sends requests to another gateway at once: it has sent nothing, and so may send a
 * POST elsewhere. Then closes sockets and event streams evenly, and connections when they are idle.
 */
export async function drainServer(options: DrainOptions, { graceMs, graceOver }: DrainTime): Promise<void> {
  const { server, webSockets, eventStreams, responses, log } = options;
  const spreadMs = spreadMsOf(graceMs);
  const allClosed = options.stopListening();
  const noMoreRequests = Promise.race([allClosed, pause(openMsOf(graceMs))]).then(async () => {
    options.refuse();
    await options.whenRead();
    server.closeIdleConnections();
  });

  /** Without `complete`, so that clients reconnect. Those that began during the drain are closed at the end. */
  async function closeEventStreams(): Promise<void> {
    const close = (response: ResponseProgress) => void response.destroy();
    await closeStaggered([...eventStreams], spreadMs, close);
    await noMoreRequests;
    for (const response of eventStreams) close(response);
  }

  const finished = Promise.all([
    webSockets.close(spreadMs, noMoreRequests),
    closeEventStreams(),
    noMoreRequests.then(() => responses.whenIdle()),
  ]);
  let late = 0;
  void graceOver.then(() => (late = responses.count()));
  await finishedOrLate(finished, graceOver, () => {
    for (const response of responses.toArray()) if (!response.headersSent) options.refuseLate(response);
  });
  const cut = responses.count();
  server.close();
  server.closeAllConnections();
  if (late > 0) log.warn({ ended: late, cut }, 'requests ended at the end of the grace time');
}
