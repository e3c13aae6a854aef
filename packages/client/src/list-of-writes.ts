/** A list of writes of which some failed: those are sent again that did nothing and can succeed. */
import { backOffMs, isUnauthenticated, longestWaitMs, retryAfterMsOf } from './retry-rule.ts';
import { pause } from './wait-to-repeat.ts';

export interface WriteError {
  readonly message: string;
  readonly path?: readonly (string | number)[] | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

export interface ListResult<Result> {
  /** One member for each input; null for one that failed. */
  readonly results: readonly (Result | null)[] | null | undefined;
  readonly errors: readonly WriteError[];
}

/**
 * What became of one input. `errors` next to a result: those of its parts that are missing. Neither a result nor errors: the
 * response was lost.
 */
export type WriteOutcome<Result> =
  | { readonly result: Result; readonly errors: readonly WriteError[] }
  | { readonly errors: readonly WriteError[] };

/**
 * Sends the inputs, and once more those that failed with `sideEffect` NONE and are `retryable` within half a minute, or whose
 * token has expired. Returns the outcome of each input, in their order; rejects only when the first `send` does. Keep the
 * idempotency key of an input for its repetition.
 * `send`: sends one mutation whose field takes the list, such as `importMalaysiaInvoices`.
 */
export async function sendList<Input, Result>(
  inputs: readonly Input[],
  send: (inputs: readonly Input[]) => Promise<ListResult<Result>>,
): Promise<WriteOutcome<Result>[]> {
  const outcomes = outcomesOf(inputs.length, await send(inputs));
  const repeated = [...inputs.keys()].filter((index) => mayRepeat(outcomes[index]));
  if (repeated.length === 0) return outcomes;
  await pause(waitMs(repeated.flatMap((index) => outcomes[index]?.errors ?? [])));
  const lost: ListResult<Result> = { results: undefined, errors: [] };
  const sent = send(repeated.map((index) => inputs[index] as Input));
  // What became of the other inputs is known.
  const again = outcomesOf(repeated.length, await sent.catch(() => lost));
  return outcomes.map((outcome, index) => again[repeated.indexOf(index)] ?? outcome);
}

/** An error without an index in its path counts for every input. */
function outcomesOf<Result>(count: number, { results, errors }: ListResult<Result>): WriteOutcome<Result>[] {
  return Array.from({ length: count }, (_, index) => {
    const result = results?.[index] ?? null;
    if (result !== null) return { result, errors: errors.filter(({ path }) => path?.[1] === index) };
    return { errors: errors.filter(({ path }) => path?.[1] === undefined || path[1] === index) };
  });
}

function mayRepeat(outcome: WriteOutcome<unknown> | undefined): boolean {
  if (outcome === undefined || 'result' in outcome || outcome.errors.length === 0) return false;
  return outcome.errors.every(
    (error) =>
      error.extensions?.['sideEffect'] === 'NONE' &&
      (error.extensions['retryable'] === true || isUnauthenticated(error)) &&
      retryAfterMsOf(error) <= longestWaitMs,
  );
}

/** One random wait for all: the longest of many would be the same at each client. An expired token needs none. */
function waitMs(errors: readonly WriteError[]): number {
  if (errors.every(isUnauthenticated)) return 0;
  return Math.max(backOffMs(1), ...errors.map(retryAfterMsOf));
}
