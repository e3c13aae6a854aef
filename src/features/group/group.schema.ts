/** The mutation that creates a group, and the group that it returns. */
import { builder } from '../../graphql/builder.ts';
import { idempotencyKeyDescription, inputOf, runOnce } from '../../graphql/idempotency-key.ts';
import { reportedWarnings } from '../../graphql/invalid-input.ts';
import { writeResultOf } from '../../graphql/mutation-result.ts';
import { serviceField } from '../../graphql/service-field.ts';
import { createGroup, createGroupEndpoint, type Group, type Queue } from './group.api.ts';

const QueueType = builder.objectRef<Queue>('Queue').implement({
  description:
    'A queue of documents in a group. The service’s interface does not state the members of a queue; `raw` has all of them.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description:
        'Identifier of the queue as the service sends it, not unique across types; null when the service sends none.',
    }),
    name: t.exposeString('name', { description: 'Name of the queue; null when the service sends none.' }),
    raw: t.expose('raw', {
      type: 'JSONObject',
      nullable: false,
      description: 'The record exactly as the service sent it, also when it is a number or a text.',
    }),
  }),
});

const GroupType = builder.objectRef<Group>('Group').implement({
  description: 'A container to which queues are added later.',
  fields: (t) => ({
    id: t.exposeID('id', {
      nullable: false,
      description: 'Identifier of the group as the service sends it, not unique across types.',
    }),
    name: t.exposeString('name', {
      description:
        'Name of the group; null when the service sends none, as for a group that was created without one.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the group was created; null when the service sends no time.',
    }),
    ownerId: t.exposeID('ownerId', {
      description: 'Identifier of the user who owns the group (`uid`); null when the service sends none.',
    }),
    queueCount: t.exposeInt('queueCount', {
      description: 'Number of queues in the group, 0 for a new group; null when the service sends none.',
    }),
    queues: t.expose('queues', {
      type: [QueueType],
      nullable: false,
      description: 'The queues in the group; empty for a new group.',
    }),
    warnings: t.field(reportedWarnings),
  }),
});

const CreateGroupResult = writeResultOf(
  'CreateGroupResult',
  GroupType,
  'The new group, or the problems of the input.',
);

const CreateGroupInput = builder.inputType('CreateGroupInput', {
  description: 'The group to create.',
  fields: (t) => ({
    name: t.string({ description: 'Name of the group. Optional.' }),
    idempotencyKey: t.string({ description: idempotencyKeyDescription }),
  }),
});

builder.mutationField('createGroup', (t) =>
  t.field({
    type: CreateGroupResult,
    ...serviceField(createGroupEndpoint, 'Creates a group. The group exists when the mutation returns.'),
    args: {
      input: t.arg({ type: CreateGroupInput, required: true, description: 'The group to create.' }),
    },
    resolve(_root, { input: { name, idempotencyKey } }, context) {
      // Null and absent are the same input: both are sent as no name.
      const group = { name: name ?? undefined };
      const input = () => inputOf(createGroupEndpoint.name, group);
      return runOnce(context, idempotencyKey, GroupType.name, input, () =>
        createGroup(context.upstream, group.name),
      );
    },
  }),
);
