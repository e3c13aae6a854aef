/**
 * The same documents as in a simulation, watched through real gateways: processes, WebSockets, one Redis and a service in
 * this process. For checking the simulation; it takes the simulated time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { credentialHeaders } from '../../src/caller.ts';
import { killProcesses, startProcess } from '../../test/support/process.ts';
import { Random } from '../../test/support/random.ts';
import { startRedis } from '../../test/support/redis.ts';
import * as does from '../../test/support/service.ts';
import { quantile } from './measures.ts';
import { latencyMs, type SimulatedDocument, states } from './service.ts';
import type { Scenario } from './simulation.ts';
import { courseOf } from './workload.ts';

export interface Observed {
  readonly polls: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly changes: number;
  /** When the documents were first watched (ms): later than planned on a busy machine. */
  readonly arrivalsMs: readonly number[];
}

const subscriptionsPerSocket = 100;

/** Watches the documents of the scenario, which arrive within `rampMs`, for the duration of one of its hours. */
export async function watchRealFleet(scenario: Scenario, rampMs: number): Promise<Observed> {
  const { documents, gateways, copies, bounds } = scenario;
  const random = new Random('courses', scenario.seed);
  const delays: number[] = [];
  const arrivalsMs: number[] = [];
  const failures: unknown[] = [];
  const live = new Map<string, SimulatedDocument>();
  let polls = 0;
  let isOver = false;

  const redis = await startRedis();
  const service = await does.startService((request, response) => {
    polls += 1;
    const { changedAt } = live.get(request.url?.split('/').at(-1) ?? '') ?? { changedAt: [0, 0, 0] };
    const now = performance.now();
    const state = states[changedAt.findLastIndex((time) => time <= now)] ?? 'QUEUED';
    setTimeout(() => does.json(200, { status: state.toLowerCase() })(request, response), latencyMs);
  });
  const forget = setInterval(() => {
    service.received.length = 0;
  }, 200);
  const processes = await Promise.all(
    Array.from({ length: gateways }, () =>
      startProcess({
        UPSTREAM_URL: service.url,
        REDIS_URL: redis.url,
        LANE_SECRET: 'a secret of this fleet, 32 bytes or more',
        MALAYSIA_POLL_MIN_MS: String(bounds.pollMinMs),
        MALAYSIA_POLL_MAX_MS: String(bounds.pollMaxMs),
        MALAYSIA_POLL_BUDGET_PER_SECOND: String(scenario.budget),
        UPSTREAM_CONCURRENCY_PER_CALLER: '1000',
        LOG_LEVEL: 'warn',
      }),
    ),
  );
  const sockets = new Map<string, ReturnType<typeof createClient>>();
  /** One socket for every hundred documents of a caller at a gateway. */
  function socketOf(gateway: number, caller: number, index: number) {
    const key = `${gateway}/${caller}/${Math.floor(index / gateways / scenario.callers / subscriptionsPerSocket)}`;
    let socket = sockets.get(key);
    if (!socket) {
      socket = createClient({
        url: (processes[gateway]?.url ?? '').replace('http', 'ws'),
        webSocketImpl: WebSocket,
        connectionParams: { [credentialHeaders.apiKey]: `caller ${caller}` },
        retryAttempts: 0,
      });
      sockets.set(key, socket);
    }
    return socket;
  }

  function watch(gateway: number, document: SimulatedDocument, index: number): void {
    let seen: number | undefined;
    const query = `subscription { malaysiaStatusChanged(documentId: "${document.id}") { state } }`;
    socketOf(gateway, document.caller, index).subscribe<{ malaysiaStatusChanged: { state: string } }>(
      { query },
      {
        next({ data, errors }) {
          if (errors) failures.push(errors);
          const level = (states as readonly string[]).indexOf(data?.malaysiaStatusChanged.state ?? '');
          if (level < 0 || isOver) return;
          for (let each = (seen ?? level) + 1; each <= level; each += 1)
            delays.push(performance.now() - (document.changedAt[each] as number));
          seen = Math.max(level, seen ?? 0);
        },
        error: (error) => void failures.push(error),
        complete() {},
      },
    );
  }

  const startedAt = performance.now();
  for (let index = 0; index < documents; index += 1) {
    const dueAt = startedAt + (index / documents) * rampMs;
    const waitMs = dueAt - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const now = performance.now();
    arrivalsMs.push(now - startedAt);
    const { queuedMs, submittedMs } = courseOf(scenario.course)(random);
    const changedAt = [now, now + queuedMs, now + queuedMs + submittedMs] as const;
    const document = { id: String(index + 1), caller: index % scenario.callers, changedAt };
    live.set(document.id, document);
    for (let copy = 0; copy < copies; copy += 1) watch((index + copy) % gateways, document, index);
  }
  await sleep(Math.max(0, scenario.hourMs - (performance.now() - startedAt)));
  isOver = true;
  const [failure] = failures.splice(0);
  if (failure !== undefined) console.error('A subscription failed:', JSON.stringify(failure));
  clearInterval(forget);
  killProcesses();
  await redis.stop();
  await service.close();
  const sorted = delays.toSorted((a, b) => a - b);
  return {
    polls,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    changes: sorted.length,
    arrivalsMs,
  };
}
