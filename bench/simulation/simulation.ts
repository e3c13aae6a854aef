/** The scheduling of polls by a fleet (`src/watch`), with a virtual clock, a simulated service and a simulated Redis. */
import type { Caller, Lane, Owner } from '../../src/caller.ts';
import { readConfig } from '../../src/config/config.ts';
import type { MalaysiaStatus } from '../../src/features/malaysia/malaysia.api.ts';
import { watchedStatus } from '../../src/features/malaysia/watched-status.ts';
import { createSharesByBound, shareOf } from '../../src/shares/bound-sizes.ts';
import { LaneBudget } from '../../src/shares/lane-budget.ts';
import { createShares, type Shares } from '../../src/shares/shares.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { noTracing } from '../../src/telemetry/tracing.ts';
import { createPollBudget, type PollBudget } from '../../src/watch/poll-budget.ts';
import type { PollBounds } from '../../src/watch/poll-interval.ts';
import { Stay } from '../../src/watch/stay-in-state.ts';
import { createWatches } from '../../src/watch/watch-registry.ts';
import type { Watchable } from '../../src/watch/watchable.ts';
import { Random } from '../../test/support/random.ts';
import { createExpectedMeter } from './expected.ts';
import { createMeter, type Results } from './meter.ts';
import { createSimulatedRedis } from './redis.ts';
import { createSimulatedService, type SimulatedDocument, states } from './service.ts';
import { createVirtualClock } from './virtual-clock.ts';
import {
  arrivalShare,
  type Course,
  type CourseName,
  courseOf,
  createCallerPicker,
  meanLifeMs,
} from './workload.ts';

export interface Scenario {
  readonly seed: number;
  /** Documents watched at the same time at the peak of the day. */
  readonly documents: number;
  readonly gateways: number;
  /** Whether the gateways share a Redis. */
  readonly isFleet: boolean;
  /** Gateways through which each document is watched. */
  readonly copies: number;
  readonly callers: number;
  readonly course: CourseName | Course;
  /** Documents that arrive from this time on (ms) take another course. */
  readonly change?: { readonly atMs: number; readonly course: CourseName | Course };
  /** The time of the stays that are compared with what was expected of them (ms). Default: all. */
  readonly expectedIn?: readonly [fromMs: number, toMs: number];
  /** Calls per second that the service accepts. */
  readonly capacity: number;
  /** Polls per second of each gateway, or of all of them. */
  readonly budget: number;
  readonly hasFleetBudget: boolean;
  /** Share of the documents that is watched through the first gateway; all others are divided equally. */
  readonly firstGateway?: number;
  readonly bounds: PollBounds;
  /** Whether intervals follow the durations of the last documents. */
  readonly isAdaptive: boolean;
  /** Hours of the day, for example 7 to 12, and how long each lasts (ms). */
  readonly hours: readonly [from: number, to: number];
  readonly hourMs: number;
  /** Times at which documents arrive (ms), within one hour; undefined: as on a working day. */
  readonly arrivalsMs?: readonly number[];
}

export async function simulate(scenario: Scenario): Promise<Results> {
  const { seed, documents, gateways, copies, course, bounds, hourMs } = scenario;
  // A generator for each purpose, so that two schedules get the same documents.
  const arrivals = new Random('arrivals', seed);
  const properties = new Random('documents', seed);
  const durations = new Random('courses', seed);
  const jitter = new Random('jitter', seed);
  const clock = createVirtualClock();
  const service = createSimulatedService(clock, scenario.capacity);
  const redis = createSimulatedRedis(clock);
  const meter = createMeter(clock, scenario.callers);
  const expected = createExpectedMeter(clock, ...(scenario.expectedIn ?? []));
  const { atMs: changeMs, course: changed } = scenario.change ?? { atMs: Number.POSITIVE_INFINITY, course };
  const pickCaller = createCallerPicker(scenario.callers, properties);
  const callers = Array.from({ length: scenario.callers }, (_, index) => aCaller(index));
  const live = new Map<string, SimulatedDocument>();
  const endMs = scenario.arrivalsMs === undefined ? (scenario.hours[1] - scenario.hours[0]) * hourMs : hourMs;

  const fleetBudget = scenario.hasFleetBudget ? redis.budget(scenario.budget) : undefined;
  const fleet = Array.from({ length: gateways }, (_, index) => startGateway(index));
  type Gateway = (typeof fleet)[number];

  function startGateway(index: number) {
    const shares = createSimulatedShares();
    const { acceptedLanes } = shares;
    const budget = createPollBudget(scenario.budget, acceptedLanes, clock, fleetBudget?.(String(index)));
    const measured: PollBudget = {
      schedule(holder, poll) {
        const dueAt = clock.now();
        return budget.schedule(holder, () => {
          meter.polled(callerOf(holder.lane), clock.now() - dueAt);
          poll();
        });
      },
    };
    const watchable: Watchable<MalaysiaStatus> = {
      ...watchedStatus,
      async poll(_context, documentId) {
        const document = live.get(documentId) as SimulatedDocument;
        const status = await service.poll(document);
        acceptedLanes.accept(callers[document.caller] as Caller);
        return status;
      },
    };
    const watches = createWatches({
      ...bounds,
      budget: measured,
      bound: unbounded,
      shares,
      ...(scenario.isFleet ? { bus: redis.bus(index) } : {}),
      ...(scenario.isAdaptive
        ? {}
        : { stays: { begin: (holder, state) => new Stay(state, holder, [], clock.now()) } }),
      clock,
      random: () => jitter.next(),
      metrics: createMetrics('simulation'),
      tracing: noTracing,
      upstream: { call: () => Promise.reject(new Error('No call is made.')) },
      assumptions: config.assumptions,
    });
    return { watchable, watches };
  }

  let arrived = 0;
  function arrive(): void {
    const now = clock.now();
    const { queuedMs, submittedMs } = courseOf(now < changeMs ? course : changed)(durations);
    const id = String(arrived++);
    const changedAt = [now, now + queuedMs, now + queuedMs + submittedMs] as const;
    const document: SimulatedDocument = { id, caller: pickCaller(), changedAt };
    live.set(id, document);
    meter.began(document.caller);
    const { firstGateway = 0 } = scenario;
    const first = properties.chance(firstGateway) ? 0 : properties.below(gateways);
    let open = Math.min(copies, gateways);
    for (let copy = 0; copy < Math.min(copies, gateways); copy += 1)
      watch(fleet[(first + copy) % gateways] as Gateway, document, () => {
        open -= 1;
        if (open > 0) return;
        live.delete(id);
        meter.ended(document.caller);
      });
  }

  function watch({ watchable, watches }: Gateway, document: SimulatedDocument, onEnd: () => void): void {
    const subscriber = Symbol(document.id);
    let seen: number | undefined;
    watches.subscribe(watchable, callers[document.caller] as Caller, document.id, {
      next({ state, isDelayed, seen: { usual } = {} }) {
        const level = (states as readonly string[]).indexOf(state);
        if (level < 0 || isDelayed) return;
        for (let each = (seen ?? level) + 1; each <= level; each += 1)
          meter.detected(
            document.changedAt[each] as number,
            document.changedAt[0],
            each === states.length - 1,
          );
        const leftAt = document.changedAt[(seen ?? -1) + 1] as number;
        if (level !== seen) expected.received(subscriber, state, usual, leftAt);
        seen = Math.max(level, seen ?? 0);
      },
      done: onEnd,
    });
  }

  const peakPerMs = documents / meanLifeMs(courseOf(course), new Random('life', seed));
  function nextArrival(): void {
    // Arrivals at the rate of the peak, of which those are kept that the hour of the day has.
    clock.after(-Math.log(1 - arrivals.next()) / peakPerMs, () => {
      const hour = scenario.hours[0] + clock.now() / hourMs;
      if (arrivals.chance(arrivalShare(hour))) arrive();
      nextArrival();
    });
  }
  if (scenario.arrivalsMs === undefined) nextArrival();
  for (const atMs of scenario.arrivalsMs ?? []) clock.after(atMs, arrive);

  const startedAt = performance.now();
  for (let bin = 1; bin <= 60; bin += 1) {
    await clock.runUntil((endMs * bin) / 60);
    meter.bin(service.counts(), redis.counts());
  }
  const cpuSeconds = (performance.now() - startedAt) / 1_000;
  return {
    ...meter.results(),
    expected: expected.results(),
    documents: arrived,
    events: clock.events(),
    seconds: endMs / 1_000,
    cpuSeconds,
  };
}

const config = readConfig({});

/** The simulation has more watches than a heap would allow. */
const unbounded = new LaneBudget(
  shareOf('watches', Number.MAX_SAFE_INTEGER, {
    newcomers: Number.MAX_SAFE_INTEGER,
    owner: Number.MAX_SAFE_INTEGER,
  }),
  createSimulatedShares(),
);

function createSimulatedShares(): Shares {
  return createShares(createSharesByBound(config), createMetrics('simulation'), { info() {} });
}

function aCaller(index: number): Caller {
  const name = String(index);
  return {
    credentials: { apiKey: name, authorization: undefined },
    lane: name as Lane,
    owner: name as Owner,
    requestId: name,
    signal: new AbortController().signal,
  };
}

function callerOf(lane: Lane): number {
  return Number(lane);
}
