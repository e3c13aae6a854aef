/** A value of the service that is polled until it is final. The engine in this folder knows nothing else about it. */
import type { GatewayError } from '../errors.ts';
import type { SeenState } from './stays.ts';

/** What the engine knows of a value: when the call that returned it began and had returned (`performance.now()`). */
export interface Timed {
  readonly askedAt?: number;
  readonly respondedAt?: number;
  /** Set by the watch; undefined for a value that is not watched. */
  readonly seen?: SeenState | undefined;
}

/** Why a value is not current: the service does not respond, or its response cannot be read. */
export type Trouble =
  | { readonly kind: 'silent' }
  /** `error`: absent at the first such response, which is not reported yet. */
  | { readonly kind: 'unreadable'; readonly error?: GatewayError };

export interface Watchable<T extends Timed> {
  /** For traces. */
  readonly name: string;
  idOf(value: T): string;
  /** The state whose durations are learnt. There are few of them. */
  stateOf(value: T): string;
  isFinal(value: T): boolean;
  /** Compares everything that subscribers see, except times. */
  isSame(a: T, b: T): boolean;
  /** The last value, marked with the trouble in place of an earlier one. `last`: undefined before the service has returned any. */
  troubled(id: string, last: T | undefined, trouble: Trouble): T;
  /** Memory of its texts, as far as they are long (bytes). */
  bytesOf(value: T): number;
  /** The value without the texts that `bytesOf` counts. */
  withoutTexts(value: T): T;
  /** What the other gateways get. */
  encode(value: T): unknown;
  /** Undefined for anything that `encode` does not return. */
  decode(payload: unknown): T | undefined;
}

/** A value without a time counts as older than any other. */
export function askedAtOf({ askedAt = Number.NEGATIVE_INFINITY }: Timed): number {
  return askedAt;
}

export function respondedAtOf({ respondedAt = Number.NEGATIVE_INFINITY }: Timed): number {
  return respondedAt;
}
