/** What gateways publish to each other about a watch, and read with `decodePayload`. */
import { z } from 'zod';
import { codeIn, GatewayError } from '../errors.ts';
import { isObject } from '../tools/is-object.ts';
import { shortened } from '../tools/shortened.ts';
import {
  askedAtOf,
  respondedAtOf,
  type Timed,
  type Trouble,
  type Watchable,
  withoutTimes,
} from './watchable.ts';

/** What the polling gateway publishes: a value, changed or not, or the error that ended the watch. */
export type WatchPayload = ValuePayload | { readonly error: PublishedError };

interface ValuePayload {
  readonly status: unknown;
  /** Time from the start and from the end of the call that returned the value to the publication (ms): gateways share no clock. */
  readonly askedMsAgo: number;
  readonly answeredMsAgo: number;
}

/** The members of an error that other gateways get. What the service reported is not in its message, which the log has. */
type PublishedError = Pick<GatewayError, 'code' | 'message' | 'retryable' | 'bound' | 'upstream'>;

const upstreamForm = z.object({
  operation: z.string(),
  status: z.number().optional(),
  requestId: z.string().optional(),
  messages: z.array(z.string()).optional(),
});

/** The members of an error that callers get as data. Its message has what the service reported. */
export type PublicError = Pick<GatewayError, 'code' | 'message' | 'retryable'> &
  Partial<Pick<GatewayError, 'bound'>>;

/** Longest message of an error, in characters: a watch and what its subscribers have not read hold it. */
const maxMessageLength = 2_000;

/** `now`: time of the publication, by the clock of `askedAt`. */
export function valuePayload(value: Timed, now: number): ValuePayload {
  return {
    status: withoutTimes(value),
    askedMsAgo: now - askedAtOf(value),
    answeredMsAgo: now - respondedAtOf(value),
  };
}

export function publishedError({ code, message, retryable, bound, upstream }: GatewayError): PublishedError {
  return { code, message, retryable, bound, upstream };
}

export function publicError({ code, message, retryable, bound, upstream }: GatewayError): PublicError {
  const texts = [message, ...(upstream?.messages ?? [])].join(' ');
  return { code, message: shortened(texts, maxMessageLength), retryable, bound };
}

/** How subscribers see that a value is not current. */
interface ShownTrouble {
  readonly isDelayed: boolean;
  readonly problem?: PublicError | null | undefined;
}

/** `last`: what was shown before. */
export function shownTrouble(trouble: Trouble, last: ShownTrouble | undefined): Required<ShownTrouble> {
  if (trouble.kind === 'silent') return { isDelayed: true, problem: null };
  const { error } = trouble;
  if (error === undefined) return { isDelayed: false, problem: last?.problem ?? null };
  // The watch continues: the same subscription may succeed.
  const { message } = publicError(error);
  return { isDelayed: false, problem: { code: 'UPSTREAM_BAD_RESPONSE', message, retryable: true } };
}

/**
 * The value or the error of a message, with the times of its call by this gateway's clock: the earliest time at which it
 * may have begun, and the latest at which it may have returned. `sentAt`: the earliest time of the publication.
 * Undefined for anything but a payload about this id.
 */
export function decodePayload<T extends Timed>(
  watchable: Watchable<T>,
  id: string,
  payload: unknown,
  receivedAt: number,
  sentAt: number,
): T | GatewayError | undefined {
  if (!isObject(payload)) return undefined;
  const error = decodeError(payload['error']);
  if (error) {
    const { data: upstream } = upstreamForm.safeParse(Object(payload['error']).upstream);
    return new GatewayError({ ...error, upstream: upstream as GatewayError['upstream'] });
  }
  const { askedMsAgo, answeredMsAgo } = payload;
  const value = watchable.decode(payload['status']);
  if (!value || watchable.idOf(value) !== id || !isDuration(askedMsAgo) || !isDuration(answeredMsAgo))
    return undefined;
  return { ...value, askedAt: sentAt - askedMsAgo, respondedAt: receivedAt - answeredMsAgo };
}

function isDuration(ms: unknown): ms is number {
  return typeof ms === 'number' && ms >= 0;
}

export function decodeError(error: unknown) {
  if (!isObject(error)) return undefined;
  const { message, retryable } = error;
  const code = codeIn(error);
  if (!code || typeof message !== 'string' || typeof retryable !== 'boolean') return undefined;
  return { ...code, message, retryable };
}

/** Whether every later poll with the same credentials would fail in the same way. */
export function endsWatch({ code }: GatewayError): boolean {
  return code === 'UNAUTHENTICATED' || code === 'FORBIDDEN' || code === 'BAD_USER_INPUT';
}
