/** What became of a write, found by its idempotency key. */
import { credentialHeaders } from '../../caller.ts';
import { builder } from '../../graphql/builder.ts';
import { findWrite } from '../../graphql/idempotency-key.ts';
import { WriteResult } from '../../graphql/mutation-result.ts';
import type { UpstreamCallsExtension } from '../../graphql/service-field.ts';
import type { FoundWrite } from '../../state/ledger/ledger.ts';

const WriteState = builder.enumType('WriteState', {
  description: 'What is known about a write.',
  values: {
    IN_PROGRESS: { value: 'running', description: 'The write is running: ask again.' },
    COMPLETED: { value: 'done', description: 'The write was carried out.' },
    OUTCOME_UNKNOWN: {
      value: 'unknown',
      description:
        'The write may have been carried out: its response was lost, or it was sent with another token. Look at the service before using a new key.',
    },
  } as const,
});

const WriteOutcomeType = builder.objectRef<FoundWrite>('WriteOutcome').implement({
  description: 'What became of a write with an idempotency key.',
  fields: (t) => ({
    state: t.expose('state', {
      type: WriteState,
      nullable: false,
      description: 'What is known about the write.',
    }),
    result: t.field({
      type: WriteResult,
      description:
        'The result; its `warnings` are those of the service alone. Null unless the state is COMPLETED, for a result that was too large ' +
        'to be kept, and for one that version 0.2 of the gateway stored.',
      resolve: (found) =>
        found.state === 'done' && found.type !== undefined
          ? { ...(found.value as object), __typename: found.type }
          : null,
    }),
  }),
});

builder.queryField('writeOutcome', (t) =>
  t.field({
    type: WriteOutcomeType,
    description:
      'What became of the write that this caller sent under an idempotency key: after a reload or a lost connection, instead of sending ' +
      'it again. Null if the key is not in use: it was never sent, was freed because the write had no effect, or has expired ' +
      '(IDEMPOTENCY_TTL_MS), or it was lost: a gateway without Redis has restarted since, or Redis has lost it, as it can in a failover; a write that is still being uploaded may not have its key yet. With another token than that of the write, the state is ' +
      `OUTCOME_UNKNOWN and the result is not shown. No call to the service. Credentials: \`${credentialHeaders.apiKey}\` or \`${credentialHeaders.authorization}\`, those of the write.`,
    extensions: { calls: 0 } satisfies UpstreamCallsExtension,
    args: {
      idempotencyKey: t.arg.string({ required: true, description: 'The key of the write.' }),
    },
    resolve: (_root, { idempotencyKey }, context) => findWrite(context, idempotencyKey),
  }),
);
