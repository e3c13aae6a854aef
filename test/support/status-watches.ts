/** Status watches over a service, listeners and a bus that a test controls. Use fake timers. */
import type { Caller } from '../../src/caller.ts';
import { createLaneMaker, identify } from '../../src/caller.ts';
import { codeWith, GatewayError } from '../../src/errors.ts';
import type { MalaysiaStatus } from '../../src/features/malaysia/malaysia.api.ts';
import type { MalaysiaState } from '../../src/features/malaysia/status-words.ts';
import { watchedStatus } from '../../src/features/malaysia/watched-status.ts';
import { createAcceptedLanes } from '../../src/shares/accepted-lanes.ts';
import { LaneBudget } from '../../src/shares/lane-budget.ts';
import { shareOf } from '../../src/shares/share.ts';
import type { OnWatchMessage, WatchMessage } from '../../src/state/status-bus.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { noTracing } from '../../src/telemetry/tracing.ts';
import { isObject } from '../../src/tools/is-object.ts';
import { Watches, type WatchesOptions } from '../../src/watch/watches.ts';
import { aShares } from './shares.ts';

const laneOf = createLaneMaker(undefined);
export const alice = aCaller('alice');
export const bob = aCaller('bob');

function aCaller(name: string): Caller {
  const credentials = { apiKey: name, authorization: undefined };
  return { ...identify(credentials, laneOf), requestId: name, signal: new AbortController().signal };
}

export function aStatus(state: MalaysiaState, more: Partial<MalaysiaStatus> = {}): MalaysiaStatus {
  return {
    documentId: '1',
    state,
    rawState: state.toLowerCase(),
    message: null,
    govPortal: null,
    observedAt: new Date(),
    isDelayed: false,
    ...more,
  };
}

export const failure = (code: GatewayError['code'], retryAfterMs?: number) =>
  new GatewayError({ ...codeWith(code), message: code, retryAfterMs });

/** Room for this number of watched documents of one caller. */
export const watchBound = (perOwner: number) =>
  new LaneBudget(shareOf('watches', 100_000, { newcomers: 100_000, owner: perOwner }), aShares());

/** Returns its responses one by one, and the last one from then on. */
export class StatusService {
  responses: (MalaysiaStatus | Error)[] = [aStatus('QUEUED')];
  readonly polls: { caller: Caller; documentId: string; at: number }[] = [];

  startWatches(options: Partial<WatchesOptions<MalaysiaStatus>> = {}): Watches<MalaysiaStatus> {
    return new Watches({
      watchable: watchedStatus,
      poll: async (caller, documentId) => {
        this.polls.push({ caller, documentId, at: Date.now() });
        const [response] = this.responses.length > 1 ? this.responses.splice(0, 1) : this.responses;
        if (response instanceof Error) throw response;
        return { ...(response as MalaysiaStatus), documentId };
      },
      pollMinMs: 2_000,
      pollMaxMs: 30_000,
      pollBudgetPerSecond: 200,
      watchMaxMs: 3_600_000,
      bound: watchBound(10_000),
      acceptedLanes: createAcceptedLanes(),
      metrics: createMetrics('test'),
      tracing: noTracing,
      ...options,
    });
  }
}

/** A listener that records its states, and how its subscription ends. */
export function aListener() {
  const received: string[] = [];
  return {
    received,
    next: ({ state, isDelayed, problem }: MalaysiaStatus) =>
      void received.push(
        [state, ...(isDelayed ? ['delayed'] : []), ...(problem ? [problem.code] : [])].join(' '),
      ),
    done: (error?: GatewayError) => void received.push(error ? `error ${error.code}` : 'done'),
  };
}

/** A bus on which another gateway holds the lease, unless the test changes the holder. */
export function aBus() {
  let onMessage: OnWatchMessage = () => {};
  const bus = {
    holder: 'other' as 'mine' | 'other' | 'unreachable',
    leases: [] as number[],
    published: [] as WatchMessage[],
    /** Delivers a message of another gateway. Unless it says more, it was published with the end of a call. */
    deliver(received: unknown, leaseMs = 3_000, ageMs = 0) {
      const payload = isObject(received) ? { askedMsAgo: 0, answeredMsAgo: 0, ...received } : received;
      onMessage({ payload, isKept: true, leaseMs }, ageMs);
    },
    lease: async (_lane: unknown, _topic: string, leaseMs: number) => {
      bus.leases.push(leaseMs);
      return bus.holder;
    },
    release() {},
    publish: (_lane: unknown, _topic: string, message: WatchMessage) => void bus.published.push(message),
    subscribe(_lane: unknown, _topic: string, listener: OnWatchMessage) {
      onMessage = listener;
      return () => {};
    },
  };
  return bus;
}
