/** Subscriptions to values that are polled until they are final. */
import type { PublicError } from '../watch/watch-message.ts';
import { WatchSubscription } from '../watch/watch-subscription.ts';
import type { Timed, Watchable } from '../watch/watchable.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';

export const StatusProblemType = builder.objectRef<PublicError>('StatusProblem').implement({
  description: 'Why a document is no longer watched, or why its status cannot be read.',
  fields: (t) => ({
    code: t.exposeString('code', {
      nullable: false,
      description: 'One of the codes of `extensions.code`, for example NOT_FOUND.',
    }),
    message: t.exposeString('message', { nullable: false, description: 'What is wrong, for developers.' }),
    retryable: t.exposeBoolean('retryable', {
      nullable: false,
      description:
        'Whether the same subscription may succeed later. If false, do not subscribe to the document again; after UNAUTHENTICATED only with a renewed token.',
    }),
    bound: t.exposeString('bound', {
      description: 'The bound that was reached, as in `extensions.bound`; null for a code that has none.',
    }),
  }),
});

/**
 * Returns watched values as the events of a subscription, which ends when all are final. `unwatchable`: the one
 * event of a value that cannot be watched; without it the subscription fails.
 */
export function watchValues<T extends Timed>(
  { caller, watches }: Context,
  watchable: Watchable<T>,
  ids: readonly string[],
  unwatchable?: (id: string, error: Error) => T,
): WatchSubscription<T> {
  return new WatchSubscription(ids, { caller, watchable, watches, unwatchable });
}
