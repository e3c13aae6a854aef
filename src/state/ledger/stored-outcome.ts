/** Outcomes as plain values, which a gateway stores and another one reads. */
import { codeIn, GatewayError, InvalidInputError } from '../../errors.ts';
import type { InputProblem } from '../../input-problems.ts';
import { isObject } from '../../tools/is-object.ts';
import type { Outcome } from './ledger.ts';

type StoredError = Omit<GatewayError, 'name' | 'stack' | 'cause'>;

export type StoredOutcome =
  | { readonly value: unknown; readonly type?: string | undefined }
  | { readonly error: StoredError }
  | { readonly problems: readonly InputProblem[]; readonly message: string };

export function encodeOutcome(outcome: Outcome): StoredOutcome {
  if ('value' in outcome) return outcome;
  const { error } = outcome;
  if (error instanceof InvalidInputError) return { problems: error.problems, message: error.message };
  const { code, bound, message, sideEffect, retryable, retryAfterMs, upstream, httpStatus } = error;
  return { error: { code, bound, message, sideEffect, retryable, retryAfterMs, upstream, httpStatus } };
}

/** Undefined for a value of another format. */
export function decodeOutcome(stored: unknown): Outcome | undefined {
  if (!isObject(stored)) return undefined;
  if ('value' in stored) {
    const { value, type } = stored;
    return { value, type: typeof type === 'string' ? type : undefined };
  }
  const { error, problems, message } = stored;
  if (Array.isArray(problems) && typeof message === 'string') {
    return { error: new InvalidInputError(message, problems as InputProblem[]) };
  }
  if (!isObject(error) || typeof error['message'] !== 'string') return undefined;
  const code = codeIn(error);
  return (
    code && { error: new GatewayError({ ...(error as unknown as Omit<StoredError, 'bound'>), ...code }) }
  );
}
