import { GatewayError } from '../errors.ts';
import { boundedList } from '../graphql/bounded-list.ts';
import { builder } from '../graphql/builder.ts';
import type { Context } from '../graphql/context.ts';
import { entityId, entityIdDescription } from '../graphql/entity-id.ts';
import { createLoader } from '../graphql/loader.ts';
import type { UpstreamCallsExtension } from '../graphql/upstream-calls.ts';
import { checkedId } from '../upstream/endpoint.ts';
import { createLatestMailbox } from './conflating-queue.ts';
import {
  currentStatus,
  type GovPortalSubmission,
  isFinal,
  type MalaysiaStatus,
  type StatusProblem,
} from './malaysia.api.ts';
import { unforeseen } from './status-changes.ts';
import type { StatusWatches } from './status-watch.ts';

const MalaysiaState = builder.enumType('MalaysiaState', {
  description: 'Where a document stands on its way through the tax portal.',
  values: {
    QUEUED: { description: 'Accepted by the service, not yet submitted to the portal.' },
    SUBMITTED: { description: 'Submitted to the portal, which has not decided yet.' },
    VALIDATED: { description: 'Accepted by the portal. Final.' },
    REJECTED: { description: 'Refused by the portal; `message` says why. Final.' },
    FAILED: { description: 'Failed in the service’s own processing; `message` says why. Final.' },
    CANCELLED: { description: 'Cancelled at the portal after it was accepted. Final.' },
    UNKNOWN: { description: 'A word that no public source names (see `rawState`), or no state seen yet.' },
  } as const,
});

export const GovPortalSubmissionType = builder
  .objectRef<GovPortalSubmission>('GovPortalSubmission')
  .implement({
    description: 'The tax portal’s own identifiers.',
    fields: (t) => ({
      submissionId: t.exposeString('submissionId', {
        description: 'The portal’s submission batch: 26 letters and digits; null until there is one.',
      }),
      uuid: t.exposeString('uuid', {
        description:
          'The portal’s identifier of the document: 26 letters and digits, no RFC 4122 UUID; null until there is one.',
      }),
    }),
  });

const StatusProblemType = builder.objectRef<StatusProblem>('StatusProblem').implement({
  description: 'Why a document is not watched any more.',
  fields: (t) => ({
    code: t.exposeString('code', {
      nullable: false,
      description: 'One of the codes of `extensions.code`, e.g. NOT_FOUND.',
    }),
    message: t.exposeString('message', { nullable: false, description: 'What is wrong, for developers.' }),
    retryable: t.exposeBoolean('retryable', {
      nullable: false,
      description:
        'Whether the same subscription may succeed later. If false, do not subscribe to the document again; after UNAUTHENTICATED, only with a renewed token.',
    }),
  }),
});

export const MalaysiaStatusType = builder.objectRef<MalaysiaStatus>('MalaysiaStatus').implement({
  description: 'Where a Malaysian document stands, as last told by the service.',
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: entityIdDescription('MalaysiaStatus', 'documentId'),
      resolve: ({ documentId }) => entityId('MalaysiaStatus', documentId),
    }),
    documentId: t.exposeID('documentId', { nullable: false, description: 'Identifier of the document.' }),
    state: t.expose('state', {
      type: MalaysiaState,
      nullable: false,
      description: 'The state, in the portal’s terms.',
    }),
    rawState: t.exposeString('rawState', {
      description: 'The service’s own word; null when it has told none yet.',
    }),
    isFinal: t.boolean({
      nullable: false,
      description: 'VALIDATED, REJECTED, FAILED or CANCELLED: nothing more will change.',
      resolve: isFinal,
    }),
    message: t.exposeString('message', { description: 'Why, where the service says it; else null.' }),
    govPortal: t.expose('govPortal', {
      type: GovPortalSubmissionType,
      description: 'The portal’s identifiers; null until the submission details exist.',
    }),
    observedAt: t.expose('observedAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the service last told this state.',
    }),
    isDelayed: t.exposeBoolean('isDelayed', {
      nullable: false,
      description: 'The service does not answer at present: this is the last state seen.',
    }),
    problem: t.expose('problem', {
      type: StatusProblemType,
      description:
        'In malaysiaStatusesChanged: why this document is not watched any more. Null for every other status.',
    }),
  }),
});

declare module '../graphql/context.ts' {
  interface FeatureParts {
    readonly statusWatches: StatusWatches;
  }
}

/** One call for each document of an operation. Its status also reaches those who watch the document. */
const statuses = createLoader((documentIds, { caller, parts, upstream }) =>
  documentIds.map(async (documentId) => {
    const status = await currentStatus(upstream, documentId);
    parts.statusWatches.observed(caller.lane, status);
    return status;
  }),
);

export async function loadStatus(documentId: string, context: Context): Promise<MalaysiaStatus> {
  return await statuses(checkedId(documentId, 'documentId'), context);
}

/** The events of one subscription: all its documents through one mailbox. */
function watchStatuses(
  documentIds: readonly string[],
  context: Context,
  onError: (documentId: string, error: Error) => MalaysiaStatus | undefined,
): AsyncIterable<MalaysiaStatus> {
  const { caller, parts } = context;
  const { statusWatches: watches } = parts;
  const open = new Map<string, () => void>();
  const leave = () => {
    clearTimeout(timer);
    caller.signal.removeEventListener('abort', end);
    for (const stop of open.values()) stop();
    open.clear();
  };
  const mailbox = createLatestMailbox<string, MalaysiaStatus>(leave);
  const end = () => mailbox.end();
  const timer = setTimeout(end, watches.maxDurationMs);
  if (caller.signal.aborted) {
    end();
    return mailbox.values;
  }
  caller.signal.addEventListener('abort', end, { once: true });

  const done = (documentId: string, error?: Error) => {
    const last = error && onError(documentId, error);
    if (last) mailbox.put(documentId, last);
    open.delete(documentId);
    if (error && !last) mailbox.end(error);
    else if (open.size === 0) mailbox.end();
  };
  for (const documentId of new Set(documentIds)) open.set(documentId, () => {});
  for (const documentId of [...open.keys()]) {
    try {
      const stop = watches.listen(caller, checkedId(documentId, 'documentId'), {
        next: (status) => mailbox.put(documentId, status),
        done: (error) => done(documentId, error),
        span: caller.span,
      });
      if (open.has(documentId)) open.set(documentId, stop);
      else stop();
    } catch (error) {
      done(documentId, error as Error);
    }
  }
  if (open.size === 0) mailbox.end();
  return mailbox.values;
}

/** A document that cannot be watched, among others that can. */
function unwatchable(documentId: string, error: Error): MalaysiaStatus {
  const { code, message, retryable } = error instanceof GatewayError ? error : unforeseen(error);
  return {
    documentId,
    state: 'UNKNOWN',
    rawState: null,
    message,
    govPortal: null,
    observedAt: new Date(),
    isDelayed: false,
    problem: { code, message, retryable },
  };
}

const credentialsOfStatus =
  'REST: `GET /v2/einvoice/malaysia/status/{documentId}`. Credentials: which ones it needs is not shown; what the caller gave is sent.';

builder.queryFields((t) => ({
  malaysiaStatus: t.field({
    type: MalaysiaStatusType,
    description: `Where a Malaysian document stands now. Unknown document: error NOT_FOUND. ${credentialsOfStatus}`,
    args: { documentId: t.arg.id({ required: true, description: 'The document, as the import named it.' }) },
    resolve: (_root, { documentId }, context) => loadStatus(documentId, context),
  }),
  malaysiaStatuses: t.field({
    type: [MalaysiaStatusType],
    nullable: { list: true, items: true },
    description: `Several at once, in the order asked for, at most 100; a failing one is null with an error at its index. ${credentialsOfStatus}`,
    extensions: { callsForEach: 'documentIds' } satisfies UpstreamCallsExtension,
    args: { documentIds: t.arg.idList({ required: true, description: 'The documents, at most 100.' }) },
    resolve: (_root, { documentIds }, context) =>
      boundedList(documentIds, 'documentIds').map((documentId) => loadStatus(documentId, context)),
  }),
}));

builder.subscriptionFields((t) => ({
  malaysiaStatusChanged: t.field({
    type: MalaysiaStatusType,
    nullable: false,
    description:
      'The state now, then every change; completes after a final state. A service in trouble shows as isDelayed, not as an error. ' +
      `Found by polling, once for all who watch a document with the same credentials. ${credentialsOfStatus}`,
    args: { documentId: t.arg.id({ required: true, description: 'The document, as the import named it.' }) },
    subscribe: (_root, { documentId }, context) =>
      watchStatuses([checkedId(documentId, 'documentId')], context, () => undefined),
    resolve: (status) => status as MalaysiaStatus,
  }),
  malaysiaStatusesChanged: t.field({
    type: MalaysiaStatusType,
    nullable: false,
    description:
      'The state of each now, then each change of any (see documentId); completes when all are final; at most 100. One that cannot be ' +
      `watched comes once as UNKNOWN with a \`problem\` and does not end the others. ${credentialsOfStatus}`,
    extensions: { callsForEach: 'documentIds' } satisfies UpstreamCallsExtension,
    args: { documentIds: t.arg.idList({ required: true, description: 'The documents, at most 100.' }) },
    subscribe: (_root, { documentIds }, context) =>
      watchStatuses(boundedList(documentIds, 'documentIds'), context, unwatchable),
    resolve: (status) => status as MalaysiaStatus,
  }),
}));
