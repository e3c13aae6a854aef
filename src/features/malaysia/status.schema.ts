/** The status of a document: its type, the queries and the subscriptions. */

import { builder } from '../../graphql/builder.ts';
import { entityIdField } from '../../graphql/entity-id.ts';
import { boundedList } from '../../graphql/list-length.ts';
import { createLoader } from '../../graphql/loader.ts';
import { serviceField } from '../../graphql/service-field.ts';
import { StatusProblemType } from '../../graphql/status-problem.ts';
import { WatchSubscription } from '../../watch/watch-subscription.ts';
import type { GovPortalSubmission } from './gov-portal.ts';
import { currentStatus, isFinal, type MalaysiaStatus, statusEndpoint } from './malaysia.api.ts';
import { asWatched, unwatchableStatus, watchedStatus } from './watched-status.ts';

const MalaysiaState = builder.enumType('MalaysiaState', {
  description: 'The state of a document in the tax portal’s process.',
  values: {
    QUEUED: { description: 'Accepted by the service, not yet submitted to the portal.' },
    SUBMITTED: { description: 'Submitted to the portal, which has not decided yet.' },
    VALIDATED: { description: 'Accepted by the portal. Final, unless it is cancelled at the portal later.' },
    REJECTED: { description: 'Refused by the portal; `message` says why. Final.' },
    FAILED: { description: 'Failed in the service’s own processing; `message` says why. Final.' },
    CANCELLED: { description: 'Cancelled at the portal after it was accepted. Final.' },
    UNKNOWN: {
      description:
        'The state is not known: no public source explains the service’s word (see `rawState`), its response contradicts itself or is about ' +
        'another document, or none has been received yet.',
    },
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
          'The portal’s identifier of the document: 26 letters and digits, not an RFC 9562 UUID; null until there is one.',
      }),
    }),
  });

type ExpectedChange = NonNullable<ReturnType<typeof expectedChange>>;

const ExpectedChangeType = builder.objectRef<ExpectedChange>('ExpectedChange').implement({
  description: 'When a document usually leaves its state, by what the gateway has seen of others.',
  fields: (t) => ({
    likelyBy: t.expose('likelyBy', {
      type: 'DateTime',
      nullable: false,
      description: 'Half of the documents have changed by then.',
    }),
    atLatestBy: t.expose('atLatestBy', {
      type: 'DateTime',
      nullable: false,
      description:
        '19 of 20 documents have changed by then. When this time has passed, the document takes longer than usual.',
    }),
    basis: t.exposeInt('basis', {
      nullable: false,
      description:
        'Number of documents on which this rests: all that left the state in the last minutes, at least 100.',
    }),
  }),
});

/** By how long others stayed in the document's state. */
function expectedChange({ seen }: MalaysiaStatus) {
  if (!seen?.usual) return null;
  const { basis, leftBy } = seen.usual;
  const [likelyMs, atLatestMs] = [leftBy(0.5, 0), leftBy(0.95, 0)];
  if (likelyMs === undefined || atLatestMs === undefined) return null;
  const after = (ms: number) => new Date(seen.since.getTime() + ms);
  return { likelyBy: after(likelyMs), atLatestBy: after(atLatestMs), basis };
}

export const MalaysiaStatusType = builder.objectRef<MalaysiaStatus>('MalaysiaStatus').implement({
  description: 'The status of a Malaysian document, as the service last reported it.',
  fields: (t) => ({
    id: t.field(entityIdField('MalaysiaStatus', 'documentId')),
    documentId: t.exposeID('documentId', { nullable: false, description: 'Identifier of the document.' }),
    state: t.expose('state', {
      type: MalaysiaState,
      nullable: false,
      description: 'The state, in the portal’s terms.',
    }),
    rawState: t.exposeString('rawState', {
      description:
        'The state in the service’s own words, at most 200 characters of them; null if it has not reported one yet.',
    }),
    isFinal: t.boolean({
      nullable: false,
      description:
        'True for VALIDATED, REJECTED, FAILED and CANCELLED, after which no change is reported. A validated document can still be cancelled ' +
        'at the portal: a later query returns that.',
      resolve: isFinal,
    }),
    message: t.exposeString('message', {
      description:
        'The service’s reason for the state, at most 2,000 characters; null if none is found in its response: see `raw`. For a document that is no longer watched, the message of its `problem`.',
    }),
    govPortal: t.expose('govPortal', {
      type: GovPortalSubmissionType,
      description: 'The portal’s identifiers; null until the submission details exist.',
    }),
    expected: t.field({
      type: ExpectedChangeType,
      description:
        'When the document usually changes to its next state. null for a final state, for a status that is not watched, and until the gateway has ' +
        'seen 100 documents leave this state. It rests on how long documents of all callers stayed in it, and on nothing else of them.',
      resolve: expectedChange,
    }),
    since: t.field({
      type: 'DateTime',
      description:
        'Since when this gateway has seen the state; null for a status that it does not watch, and while the service has reported none.',
      resolve: ({ seen }) => seen?.since,
    }),
    observedAt: t.expose('observedAt', {
      type: 'DateTime',
      nullable: false,
      description:
        'When the service last reported this state; while it has reported none, when the gateway last asked for it.',
    }),
    isDelayed: t.exposeBoolean('isDelayed', {
      nullable: false,
      description:
        'True while the service does not respond, or responds that it cannot at the moment: this is the last state received.',
    }),
    problem: t.expose('problem', {
      type: StatusProblemType,
      description:
        'UPSTREAM_BAD_RESPONSE while the service responds without a status of this document that can be read: the watch continues. Any other code, in ' +
        'malaysiaStatusesChanged: why this document is no longer watched. Null for every other status.',
    }),
    raw: t.field({
      type: 'JSONObject',
      description:
        'The service’s response as it is, without the members that do not fit into 16 KiB, 4 KiB in a subscription; null if there is none yet, and in a ' +
        'subscription while the bound `watches` has no room for more than 256 characters of it.',
      resolve: ({ raw }) => (raw === undefined ? null : JSON.parse(raw)),
    }),
  }),
});

/** One call for each document of an operation. The status also goes to the subscribers of the document. */
export const loadStatus = createLoader(
  statusEndpoint,
  (documentIds, { caller, watches, upstream, assumptions }) =>
    documentIds.map(async (documentId) => {
      const status = await currentStatus(upstream, documentId, assumptions.malaysiaStatus);
      const { seen } = watches.observed(watchedStatus, caller.lane, asWatched(status));
      return { ...status, seen };
    }),
);

builder.queryFields((t) => ({
  malaysiaStatus: t.field({
    type: MalaysiaStatusType,
    ...serviceField(
      statusEndpoint,
      'The current status of a Malaysian document. An unknown document is a NOT_FOUND error.',
    ),
    args: {
      documentId: t.arg.id({ required: true, description: 'The document’s id, as the import returned it.' }),
    },
    resolve: (_root, { documentId }, context) => loadStatus(documentId, context),
  }),
  malaysiaStatuses: t.field({
    type: [MalaysiaStatusType],
    nullable: { list: true, items: true },
    ...serviceField(
      statusEndpoint,
      'The current status of at most 100 documents, in the order requested; one that fails is null, with an error at its index.',
      'documentIds',
    ),
    args: { documentIds: t.arg.idList({ required: true, description: 'The documents’ ids, at most 100.' }) },
    resolve: (_root, { documentIds }, context) =>
      boundedList(documentIds, 'documentIds').map((documentId) => loadStatus(documentId, context)),
  }),
}));

builder.subscriptionFields((t) => ({
  malaysiaStatusChanged: t.field({
    type: MalaysiaStatusType,
    nullable: false,
    ...serviceField(
      statusEndpoint,
      'The current status, then every change; completes after a final state. While the service does not respond, isDelayed is true; that is ' +
        'not an error. One poll serves all subscribers of a document with the same credentials.',
    ),
    args: {
      documentId: t.arg.id({ required: true, description: 'The document’s id, as the import returned it.' }),
    },
    subscribe: (_root, { documentId }, { caller, watches }) =>
      new WatchSubscription([documentId], { caller, watches, watchable: watchedStatus }),
    resolve: (status) => status,
  }),
  malaysiaStatusesChanged: t.field({
    type: MalaysiaStatusType,
    nullable: false,
    ...serviceField(
      statusEndpoint,
      'The current status of each document, then every change of any (see documentId); completes when all are final; at most 100 documents. ' +
        'One that cannot be watched is sent once, as UNKNOWN with a `problem`, and does not end the others.',
      'documentIds',
    ),
    args: { documentIds: t.arg.idList({ required: true, description: 'The documents’ ids, at most 100.' }) },
    subscribe: (_root, { documentIds }, { caller, watches }) =>
      new WatchSubscription(boundedList(documentIds, 'documentIds'), {
        caller,
        watches,
        watchable: watchedStatus,
        unwatchable: unwatchableStatus,
      }),
    resolve: (status) => status,
  }),
}));
