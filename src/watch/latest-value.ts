/** The latest value of a watch: from its polls, from queries, and from other gateways. */
import type { Caller } from '../caller.ts';
import type { GatewayError } from '../errors.ts';
import type { Stay } from './stay-in-state.ts';
import type { WatchBudget } from './watch-budget.ts';
import type { WatchEnvironment } from './watch-environment.ts';
import { askedAtOf, respondedAtOf, type Timed, type Trouble, type Watchable } from './watchable.ts';

/** Methods that take a value return whether it changed. They drop a value if a later call has returned another one. */
export class LatestValue<T extends Timed> {
  readonly #env: Pick<WatchEnvironment, 'clock' | 'stays'>;
  readonly #watchable: Watchable<T>;
  readonly #caller: Caller;
  readonly #id: string;
  readonly #budget: WatchBudget;
  #last: T | undefined;
  #isKnown = false;
  /** Number of polls in a row that failed, and how the last one did. */
  #failures = 0;
  #failureKind: Trouble['kind'] = 'silent';
  /** The stay in the state of the last value; undefined before the service has returned one. */
  #stay: Stay | undefined;

  constructor(
    env: Pick<WatchEnvironment, 'clock' | 'stays'>,
    watchable: Watchable<T>,
    caller: Caller,
    id: string,
    budget: WatchBudget,
  ) {
    this.#env = env;
    this.#watchable = watchable;
    this.#caller = caller;
    this.#id = id;
    this.#budget = budget;
  }

  get last(): T | undefined {
    return this.#last;
  }

  /** Whether the service has returned a value. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  get isFinal(): boolean {
    return this.#last !== undefined && this.#watchable.isFinal(this.#last);
  }

  /** Whether the last two polls, or more, have failed, the last one in a way that may pass. */
  get isSilent(): boolean {
    return this.#failures >= 2 && this.#failureKind === 'silent';
  }

  /** Time since the value entered its state (ms). */
  get ageMs(): number {
    const now = this.#env.clock.now();
    return now - (this.#stay?.sinceMs ?? now);
  }

  /** The value with what is known of its state, if it is in the state of the latest one. */
  withStay(value: T): T {
    const stay = this.#stay;
    return stay?.state === this.#stateOf(value) ? { ...value, seen: stay.seen } : value;
  }

  /**
   * Whether a value differs from the latest one, apart from trouble, and is perhaps older: its call began before the one of that
   * had returned. Of two calls at the same time the service may have answered either first.
   */
  isOutdated(value: T): boolean {
    const last = this.#last;
    return last !== undefined && askedAtOf(value) < respondedAtOf(last) && this.#differs(value, last);
  }

  /** Takes a value that the service returned. */
  returned(value: T): boolean {
    this.#failures = 0;
    this.#isKnown = true;
    return this.#take(value);
  }

  /** Takes a value of another gateway, to which the service may not have returned any yet. */
  received(value: T): boolean {
    // The service has responded there since it did here.
    if (this.#last && askedAtOf(value) > respondedAtOf(this.#last)) this.#failures = 0;
    this.#isKnown ||= this.#differs(value, undefined);
    return this.#take(value);
  }

  /**
   * Records that a poll failed. From the second in a row it is shown: as a delay if it may pass, otherwise as a problem. The first
   * is shown before the service has returned a value. A failure does not describe the value if a later call has succeeded meanwhile.
   */
  failed(error: GatewayError, askedAt: number): boolean {
    if (this.#last && askedAt < askedAtOf(this.#last)) return false;
    const kind = error.retryable ? 'silent' : 'unreadable';
    this.#failures += 1;
    this.#failureKind = kind;
    const isSecond = this.#failures >= 2;
    if (!isSecond && this.#isKnown) return false;
    return this.#take(this.#watchable.troubled(this.#id, this.#last, isSecond ? { kind, error } : { kind }));
  }

  #take(value: T): boolean {
    const last = this.#last;
    if (this.isOutdated(value) || (last && this.#isOlderReport(value, last))) return false;
    // A value repeated after a failed poll keeps the times of the call that returned it.
    const earlier = last ?? value;
    const askedAt = Math.max(askedAtOf(value), askedAtOf(earlier));
    const respondedAt = Math.max(respondedAtOf(value), respondedAtOf(earlier));
    this.#stayIn(this.#stateOf(value), respondedAt);
    const timed = { ...value, askedAt, respondedAt, seen: this.#stay?.seen };
    this.#last = this.#budget.fit(this.#watchable, timed);
    return !last || !this.#watchable.isSame(last, this.#last);
  }

  /** The state in which the value stays: values of two kinds may have states with the same name. */
  #stateOf(value: T): string {
    return `${this.#watchable.name} ${this.#watchable.stateOf(value)}`;
  }

  /** Records the state of a value that the service had returned at this time. */
  #stayIn(state: string, time: number): void {
    const { clock, stays } = this.#env;
    const stay = this.#stay;
    if (stay?.state === state) stay.stayedUntil(time);
    else if (this.#isKnown) {
      stay?.endedBy(clock.now());
      this.#stay = stays.begin(this.#caller, state, stay === undefined);
    }
  }

  /** Whether `value` says nothing new: subscribers would only see an earlier time at which it was reported. */
  #isOlderReport(value: T, last: T): boolean {
    return respondedAtOf(value) < respondedAtOf(last) && this.#watchable.isSame(value, last);
  }

  /** Whether two values differ in more than trouble. `other`: undefined for one that the service has not returned. */
  #differs(value: T, other: T | undefined): boolean {
    const { isSame, troubled } = this.#watchable;
    const silent = { kind: 'silent' } as const;
    return !isSame(troubled(this.#id, value, silent), troubled(this.#id, other, silent));
  }
}
