/** When work is done: now if the turn of the event loop has time for it, in a later turn, or in one of its own. */
import { threadCpuUsage } from 'node:process';
import { mechanisms } from './speed-mechanisms.ts';

/** Inputs above this size get a turn of their own (bytes): 64 KiB, which take a few milliseconds. */
export const ownTurnBytes = 64 * 1_024;

/** In the order of their calls. */
const waiting: (() => void)[] = [];

/**
 * Resolves in a turn of the event loop in which no other call resolves. So the I/O of other connections is served between
 * two large inputs, however many arrive at the same time. What follows until the next `await` belongs to the turn.
 * `isNextStep`: of an input whose turn it is; it is before the other inputs, which would all be kept half done otherwise.
 */
export function ownTurn({ isNextStep = false } = {}): Promise<void> {
  return new Promise((resolve) => {
    if (isNextStep) waiting.unshift(resolve);
    else waiting.push(resolve);
    if (waiting.length === 1 && isNextStep) inSecondTurn(startNext);
    else if (waiting.length === 1) setImmediate(startNext);
  });
}

function startNext(): void {
  if (areConnectionsFirst()) {
    setImmediate(startNext);
    return;
  }
  waiting[0]?.();
  waiting.shift();
  if (waiting.length > 0) inSecondTurn(startNext);
}

/** A connection is accepted in one turn, and its request is read in the next one: it waits for one large input, not for two. */
function inSecondTurn(work: () => void): void {
  setImmediate(setImmediate, work);
}

/** Time (ms) for which one turn of the event loop does one kind of work, before the rest waits for the next turn. */
const sharedTurnMs = 10;

/** What a turn of the event loop has worked since it began with a kind of work. Until its next `setImmediate`, or `end`. */
class TurnTime {
  #began: { readonly at: number; readonly cpu: NodeJS.CpuUsage } | undefined;

  /** Call before the first work of a turn that may be long, which would not count otherwise. */
  begin(): void {
    if (this.#began) return;
    this.#began = { at: performance.now(), cpu: threadCpuUsage() };
    setImmediate(() => this.end());
  }

  /** By the time of the CPU too: while the machine stalls, the gateway does no work. */
  isLong(): boolean {
    if (this.#began === undefined) this.begin();
    else if (performance.now() - this.#began.at >= sharedTurnMs)
      return cpuMs(this.#began.cpu) >= sharedTurnMs;
    return false;
  }

  end(): void {
    if (this.#began && this.isLong()) wasLong = true;
    this.#began = undefined;
  }
}

/** Of small inputs. */
const sharedTurn = new TurnTime();
/**
 * Of heads and bodies of requests, which are read before all that waits for a later turn. What was done after those of the turn
 * before does not count: operations that take long would leave time for one head in each turn.
 */
const readingTurn = new TurnTime();

let arrivals = 0;
/** CPU time since which connections arrive in each turn, so that more may wait: libuv accepts one of each listening socket. */
let arrivingSince: NodeJS.CpuUsage | undefined;
/** Whether a turn since then was long. */
let wasLong = false;
/**
 * While connections arrive, they go first for this CPU time (ms), in which those of a burst are accepted, and then for a part of
 * each period: other work has the rest. A longer part would be the wait of many requests.
 */
const firstMs = 600;
const partMs = 60;
const periodMs = 180;

/** Call for each connection that is accepted, and in each turn that leaves some of these unread. */
export function countArrival(): void {
  arrivals += 1;
  if (arrivingSince !== undefined) return;
  arrivingSince = threadCpuUsage();
  setImmediate(setImmediate, endArriving, arrivals);
}

function endArriving(before: number): void {
  if (arrivals > before) {
    setImmediate(endArriving, arrivals);
  } else {
    arrivingSince = undefined;
    wasLong = false;
  }
}

/** Whether work that may be long waits, because connections wait to be accepted or read: 500 would otherwise wait for 500 long turns. */
export function areConnectionsFirst(): boolean {
  sharedTurn.begin();
  if (!wasLong || arrivingSince === undefined) return false;
  const spentMs = cpuMs(arrivingSince);
  return spentMs < firstMs || spentMs % periodMs < partMs;
}

/** Whether this turn has handled inputs for that time since the first call in it. */
export function isTurnLong(): boolean {
  return sharedTurn.isLong();
}

/** Call before a turn reads a head or a part of a body. */
export function beginReading(): void {
  sharedTurn.begin();
  readingTurn.begin();
}

/** Whether this turn has read heads and bodies for that time. */
export function isReadingLong(): boolean {
  sharedTurn.begin();
  return readingTurn.isLong();
}

/** CPU time since then (ms). */
function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = threadCpuUsage(since);
  return (user + system) / 1_000;
}

/**
 * Returns a function after which the time starts again before what is scheduled next: the I/O of each turn may take all of it. So
 * may other kinds of work that waits, of which each has a function of its own.
 */
export function createTimeKeeper(): () => void {
  let isKept = false;
  return () => {
    if (isKept) return;
    isKept = true;
    setImmediate(() => {
      isKept = false;
      sharedTurn.end();
    });
  };
}

const keepTime = createTimeKeeper();

/** In the order of their calls. One that is continued waits behind the others. */
const sharing: (() => void)[] = [];
let isSharingScheduled = false;

/** Calls `work` now, or in the first later turn of the event loop that has time for it. For inputs that get no own turn. */
export function inSharedTurn(work: () => void): void {
  if (sharing.length === 0 && !isTurnLong() && !areConnectionsFirst()) {
    work();
  } else {
    sharing.push(work);
    scheduleSharing();
  }
}

function scheduleSharing(): void {
  if (isSharingScheduled) return;
  isSharingScheduled = true;
  keepTime();
  setImmediate(() => {
    isSharingScheduled = false;
    while (sharing.length > 0 && !isTurnLong() && !areConnectionsFirst()) sharing.shift()?.();
    if (sharing.length > 0) scheduleSharing();
  });
}

let afterTurn: (() => void)[] = [];

/** Calls `work` after the I/O of this turn of the event loop. All such work of a turn shares one `setImmediate`. */
export function afterThisTurn(work: () => void): void {
  if (afterTurn.length === 0) setImmediate(doAfterTurn);
  afterTurn.push(work);
}

function doAfterTurn(): void {
  const all = afterTurn;
  afterTurn = [];
  for (const work of all) work();
}

/** Calls `send` together with all that is sent in this turn of the event loop: a write that wakes its reader costs more. */
export function sendTogether(send: () => void): void {
  if (mechanisms.sentTogether) afterThisTurn(send);
  else send();
}
