/** What became of a write whose response was lost. */
import { WriteOutcomeDocument, type WriteOutcomeQuery } from './gql/graphql.ts';
import type { Request } from './request.ts';
import { pause } from './wait-to-repeat.ts';

export type WriteResult = NonNullable<NonNullable<WriteOutcomeQuery['writeOutcome']>['result']>;

export type Settled =
  /** It was done. */
  | { readonly state: 'COMPLETED'; readonly result: WriteResult | null }
  /** It may have been done: check at the service, or ask the user, before another key is used. */
  | { readonly state: 'OUTCOME_UNKNOWN' }
  /** It still runs. */
  | { readonly state: 'IN_PROGRESS' }
  /** The key is not in use. Unless it has expired, nothing was done: the write can be sent again under it. */
  | { readonly state: 'NOT_DONE' }
  /** The gateway could not be asked, or refused the question: the key is malformed, or the session is over. */
  | { readonly state: 'UNREACHABLE' };

/** Interval of the question while the write runs, and longest time for it (ms): 1 second and 1 minute. */
const intervalMs = 1_000;
const longestMs = 60_000;

/** Asks the gateway until the write has an outcome; the gateway makes no call for that. */
export async function settle(request: Request, idempotencyKey: string): Promise<Settled> {
  for (const until = performance.now() + longestMs; ; ) {
    const answer = await request(WriteOutcomeDocument, { idempotencyKey }).catch(() => undefined);
    const outcome = answer?.data?.writeOutcome;
    if (outcome === undefined || answer?.errors.length !== 0) return { state: 'UNREACHABLE' };
    if (outcome === null) return { state: 'NOT_DONE' };
    if (outcome.state === 'COMPLETED') return { state: 'COMPLETED', result: outcome.result };
    if (outcome.state === 'OUTCOME_UNKNOWN') return { state: 'OUTCOME_UNKNOWN' };
    if (performance.now() >= until) return { state: 'IN_PROGRESS' };
    await pause(intervalMs);
  }
}
