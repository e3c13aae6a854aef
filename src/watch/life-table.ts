/** How long values stay in one state, from those that the gateway watched in the last minutes. */
import type { Owner } from '../caller.ts';

export interface UsualStay {
  /** Number of values on which this rests: those that have left the state. */
  readonly basis: number;
  /** The age by which a share of the values that reach another age has left (ms); undefined where too few become as old. */
  leftBy(share: number, ageMs: number): number | undefined;
  /** Mean number of polls until one sees that a value has left. `intervalAt`: the interval after a poll at an age (ms). */
  pollsWith(intervalAt: (ageMs: number) => number): number;
}

const goldenRatio = 0.618;
/** Number of values that must have left the state in two periods together, half of them in each. */
const enough = 100;
const nearlyAll = 0.95;
/** Shortest duration of a period (ms). */
const periodMs = 120_000;
/** Most values of one owner, and of all, that are counted from those that enter the state in that time. */
const mostOfOwner = 200;
const mostOfAll = 4_000;
/** With fewer values of an age nothing is known about what happens at this age. */
const fewest = 5;
/** Ages are counted in classes: up to a tenth of a second, then each a twentieth longer, to a day. */
const firstMs = 100;
const growth = 1.05;
const classes = 282;

function classOf(ageMs: number): number {
  const index = Math.ceil(Math.log(ageMs / firstMs) / Math.log(growth));
  return Math.min(Math.max(index, 0), classes - 1);
}

/** The age at which each class begins (ms), and at which the last one ends. */
const starts = [0, ...Array.from({ length: classes + 1 }, (_, index) => firstMs * growth ** index)];

class Period {
  readonly startedAt: number;
  /** Number of values that left the state, by the class of their age. */
  readonly left = new Int32Array(classes);
  /** How the number of values that reached a class differs from that of the class before. */
  readonly reached = new Int32Array(classes);
  leftCount = 0;

  constructor(startedAt: number) {
    this.startedAt = startedAt;
  }

  /** A value has reached the classes from one to another. */
  reach(from: number, to: number): void {
    this.reached[from] = (this.reached[from] as number) + 1;
    // After the last class there is none: the write has no effect.
    this.reached[to + 1] = (this.reached[to + 1] as number) - 1;
  }
}

/**
 * Counts at each age the values that left the state and those that grew older, in the last two periods. Unlike a list of
 * the last durations, this also counts values that are still in the state or that nobody watches any more, so that a
 * slower service shows before the first slow value is final. It holds sums only, and its result changes with at least 50
 * values, so that no caller learns about one value of another.
 */
export class LifeTable {
  #usual: UsualStay | undefined;
  #before: Period;
  #current: Period;
  /** Values of the current period on which the result rests. */
  #learnt = 0;
  /** Number of values of each owner that are counted, since a time. */
  readonly #owners = new Map<Owner, number>();
  #begun = 0;
  #begunSince: number;

  constructor(now: number) {
    this.#before = new Period(now);
    this.#current = new Period(now);
    this.#begunSince = now;
  }

  /** Undefined before enough values have left the state, or while too few are as old as most of them become. */
  get usual(): UsualStay | undefined {
    return this.#usual;
  }

  /** A value of the owner enters the state. Returns whether it may be counted: an owner has a bounded share. */
  begin(owner: Owner, now: number): boolean {
    if (now - this.#begunSince >= periodMs) {
      this.#owners.clear();
      this.#begun = 0;
      this.#begunSince = now;
    }
    const own = this.#owners.get(owner) ?? 0;
    if (own >= mostOfOwner || this.#begun >= mostOfAll) return false;
    this.#owners.set(owner, own + 1);
    this.#begun += 1;
    this.#current.reach(0, 0);
    return true;
  }

  /** A value that was in the state at one age is still there at another. */
  stayed(fromMs: number, toMs: number): void {
    this.#current.reach(classOf(fromMs) + 1, classOf(toMs));
  }

  /** A value that was in the state at one age was seen at another to have left it. */
  left(fromMs: number, toMs: number, now: number): void {
    const { left } = this.#current;
    this.#current.leftCount += 1;
    // When it left in between is unknown: multiples of the golden ratio spread evenly over that time.
    const ageMs = fromMs + ((this.#current.leftCount * goldenRatio) % 1) * (toMs - fromMs);
    this.stayed(fromMs, ageMs);
    const index = classOf(ageMs);
    left[index] = (left[index] as number) + 1;
    this.#learn(now);
  }

  /** With each value until it is known by when nearly all leave, and then with every 50 values. */
  #learn(now: number): void {
    const { leftCount, startedAt } = this.#current;
    const isKnown = this.#usual?.leftBy(nearlyAll, 0) !== undefined;
    if (isKnown && leftCount - this.#learnt < enough / 2) return;
    this.#usual = usualStay(this.#before, this.#current);
    this.#learnt = leftCount;
    if (leftCount < enough / 2 || now - startedAt < periodMs) return;
    this.#before = this.#current;
    this.#current = new Period(now);
    this.#learnt = 0;
  }
}

/** Multiplies the shares of the values that stayed, class after class. */
function usualStay(before: Period, current: Period): UsualStay | undefined {
  const basis = before.leftCount + current.leftCount;
  if (basis < enough) return undefined;
  /** Share of the values that reach each class. */
  const reaching = [1];
  let reached = 0;
  for (let index = 0; index < classes; index += 1) {
    reached += (before.reached[index] as number) + (current.reached[index] as number);
    if (reached < fewest) break;
    const left = (before.left[index] as number) + (current.left[index] as number);
    reaching.push((reaching[index] as number) * Math.max(0, 1 - left / reached));
  }
  return {
    basis,
    leftBy(share, ageMs) {
      const present = reaching[classOf(ageMs)] ?? 0;
      const index = reaching.findIndex((later) => later <= present * (1 - share));
      return present === 0 ? undefined : starts[index];
    },
    pollsWith: (intervalAt) =>
      reaching.reduce((polls, share, index) => {
        const [fromMs = 0, toMs = 0] = [starts[index], starts[index + 1]];
        return polls + (share * (toMs - fromMs)) / intervalAt(fromMs);
      }, 1),
  };
}
