/** A kind of values that are polled until they are final, as a feature describes it. The engine in this folder knows nothing else about them. */
import type { AssumptionsConfig } from '../config/config.ts';
import type { GatewayError } from '../errors.ts';
import type { Upstream } from '../upstream/client.ts';
import type { SeenState } from './stay-in-state.ts';

/** What the engine knows of a value: when the call that returned it began and had returned (`performance.now()`). */
export interface Timed {
  readonly askedAt?: number;
  readonly respondedAt?: number;
  /** Set by the watch; undefined for a value that is not watched. */
  readonly seen?: SeenState | undefined;
}

/** Why a value is not current. `silent`: no response, or one that may pass, such as 503. `unreadable`: a response without a value that can be read. */
export type Trouble =
  | { readonly kind: 'silent' }
  /** `error`: absent at the first failed poll, which is not reported yet. */
  | { readonly kind: 'unreadable'; readonly error?: GatewayError };

export interface Watchable<T extends Timed> {
  /** For traces, and for what gateways publish to each other: a rename separates those of two versions. */
  readonly name: string;
  /** How long the service may respond that it does not know a new value (ms). After that it does not exist. */
  readonly unknownGraceMs: number;
  /** Returns the id if it can be polled, or throws BAD_USER_INPUT. */
  checkedId(id: string): string;
  /** Makes one call, with the credentials of the watch, behind other calls and without retries. */
  poll(context: PollContext, id: string): Promise<T>;
  idOf(value: T): string;
  /** The state whose durations are learnt. There are few of them. */
  stateOf(value: T): string;
  isFinal(value: T): boolean;
  /** Compares what subscribers see, except times and what may differ in each response without a change. */
  isSame(a: T, b: T): boolean;
  /** The last value, marked with the trouble in place of an earlier one. `last`: undefined before the service has returned any. */
  troubled(id: string, last: T | undefined, trouble: Trouble): T;
  /** Memory of its texts, as far as they are long (bytes). */
  bytesOf(value: T): number;
  /** The value without those of the texts that `bytesOf` counts which subscribers need least. */
  withoutTexts(value: T): T;
  /** Reads a value without times that another gateway has published; undefined for anything else. */
  decode(payload: unknown): T | undefined;
}

interface PollContext {
  readonly upstream: Upstream;
  readonly assumptions: AssumptionsConfig;
}

/** What subscribers and other gateways get of a value. */
export function withoutTimes<T extends Timed>(value: T): Omit<T, keyof Timed> {
  const { askedAt: _askedAt, respondedAt: _respondedAt, seen: _seen, ...rest } = value;
  return rest;
}

/** A value without a time counts as older than any other. */
export function askedAtOf({ askedAt = Number.NEGATIVE_INFINITY }: Timed): number {
  return askedAt;
}

export function respondedAtOf({ respondedAt = Number.NEGATIVE_INFINITY }: Timed): number {
  return respondedAt;
}
