import type { PublicError } from '../watch/watch-message.ts';
import { builder } from './builder.ts';

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
