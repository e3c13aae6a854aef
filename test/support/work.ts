import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import process, { threadCpuUsage } from 'node:process';
import { inSharedTurn } from '../../src/tools/event-loop-turns.ts';
import { forTest } from './lifetimes.ts';

/** Returns a function that returns the CPU time of this thread from now on (ms). */
function rawCpuClock(): () => number {
  const before = threadCpuUsage();
  return () => {
    const { user, system } = threadCpuUsage(before);
    return (user + system) / 1_000;
  };
}

/** CPU time of the calibration on the machine for which the tests have their limits (ms). */
const calibrationMs = 80;
let slowness: number | undefined;

/** How many times as slow as that machine this one is: at least 1. */
function slownessOfMachine(): number {
  if (slowness !== undefined) return slowness;
  const spentMs = rawCpuClock();
  for (let run = 0; run < 40; run += 1) {
    const values = Array.from({ length: 5_000 }, (_, index) => ({ index, text: `${index} of them` }));
    JSON.parse(JSON.stringify(values).replaceAll(/o(f) /g, '$1'));
  }
  slowness = Math.max(1, spentMs() / calibrationMs);
  return slowness;
}

/** The same as the machine would need for which the tests have their limits. */
export function cpuClock(): () => number {
  const factor = slownessOfMachine();
  const spentMs = rawCpuClock();
  return () => spentMs() / factor;
}

/**
 * The least CPU time of up to three runs (ms): garbage collections of other work are part of a single one. A run that takes
 * less than `goalMs` is the last.
 */
export async function leastCpuMs(run: () => Promise<unknown>, goalMs = 0): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3 && least >= goalMs; attempt += 1) {
    const spentMs = cpuClock();
    await run();
    least = Math.min(least, spentMs());
  }
  return least;
}

/** Works for so long (ms) by the time of the CPU, however busy the machine is with others. */
export function work(ms: number): void {
  const spentMs = rawCpuClock();
  while (spentMs() < ms);
}

let passedMs: number | undefined;

/**
 * Advances the clock and the CPU time that the gateway reads by so much (ms), as `work` does, but takes no time. Use `work`
 * where timers, or what arrives over sockets meanwhile, decide.
 */
export function pass(ms: number): void {
  if (passedMs === undefined) {
    const now = performance.now.bind(performance);
    const { threadCpuUsage } = process;
    performance.now = () => now() + (passedMs as number);
    process.threadCpuUsage = (since) => {
      const { user, system } = threadCpuUsage();
      const all = user + (passedMs as number) * 1_000;
      return since ? { user: all - since.user, system: system - since.system } : { user: all, system };
    };
    syncBuiltinESMExports();
  }
  passedMs = (passedMs ?? 0) + ms;
}

/** Works for so long (ms) in each turn of the event loop, as operations do that have waited for it, until the end of the running test. */
export function workInEachTurn(ms: number): void {
  let isOver = false;
  forTest({ close: () => (isOver = true) });
  const workLater = async () => {
    while (!isOver) {
      await new Promise<void>((resolve) => setImmediate(inSharedTurn, resolve));
      work(ms);
    }
  };
  void workLater();
}

/** Calls the function in each turn of the event loop until the end of the running test. */
function eachTurn(call: () => void): void {
  const count = () => {
    call();
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  forTest({ close: () => clearImmediate(next) });
}

/** Number of turns of the event loop so far. */
export function turnCounter(): () => number {
  let turn = 0;
  eachTurn(() => {
    turn += 1;
  });
  return () => turn;
}

/** Counts the calls of `count`: all, and most in one turn of the event loop. */
export function turnCounts() {
  let [all, ofTurn, most] = [0, 0, 0];
  eachTurn(() => (ofTurn = 0));
  return {
    count() {
      all += 1;
      ofTurn += 1;
      most = Math.max(most, ofTurn);
    },
    all: () => all,
    mostOfTurn: () => most,
  };
}

/** Most CPU time of one turn of the event loop so far (ms). */
export function longestTurn(): () => number {
  let most = 0;
  let spentMs = cpuClock();
  eachTurn(() => {
    most = Math.max(most, spentMs());
    spentMs = cpuClock();
  });
  return () => most;
}

/** Calls the function for each message of a diagnostics channel, until the end of the running test. */
export function onMessage(channel: string, call: (message: unknown) => void): void {
  subscribe(channel, call);
  forTest({ close: () => unsubscribe(channel, call) });
}

/** Calls the function when a request has arrived at a server of this process, until the end of the running test. */
export function onRequestStart(call: (request: IncomingMessage) => void): void {
  onMessage('http.server.request.start', (message) =>
    call((message as { request: IncomingMessage }).request),
  );
}
