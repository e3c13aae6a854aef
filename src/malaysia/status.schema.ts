import { boundedList } from '../graphql/bounded-list.ts';
import { builder } from '../graphql/builder.ts';
import type { Context } from '../graphql/context.ts';
import { entityId, entityIdDescription } from '../graphql/entity-id.ts';
import { createLoader } from '../graphql/loader.ts';
import type { UpstreamCallsExtension } from '../graphql/upstream-calls.ts';
import { checkedId } from '../upstream/endpoint.ts';
import {
  currentStatus,
  type GovPortalSubmission,
  isFinal,
  type MalaysiaStatus,
  type StatusProblem,
} from './malaysia.api.ts';
import { unwatchableStatus } from './status-changes.ts';
import { subscribeToStatuses } from './status-subscription.ts';
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
      subscribeToStatuses([checkedId(documentId, 'documentId')], context, () => undefined),
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
      subscribeToStatuses(boundedList(documentIds, 'documentIds'), context, unwatchableStatus),
    resolve: (status) => status as MalaysiaStatus,
  }),
}));
