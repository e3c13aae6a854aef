import type { InputProblem } from '../../input-problems.ts';
import { writeJson } from '../../tools/exact-number.ts';
import type { Upstream } from '../../upstream/client.ts';
import { readEnvelope, required, type WireObject } from '../../upstream/decode.ts';
import type { Endpoint } from '../../upstream/endpoint.ts';

/** docs/service.md, "Create a group". */
export const createGroupEndpoint = {
  name: 'createGroup',
  method: 'POST',
  path: '/v1/groups',
  requiredCredentials: ['apiKey', 'authorization'],
  kind: 'write',
  envelope: 'createGroup',
  inputPaths: { name: ['name'] },
} as const satisfies Endpoint;

export type Group = ReturnType<typeof decodeGroup>;
export type Queue = Group['queues'][number];

export function createGroup(upstream: Upstream, name: string | undefined): Promise<Group> {
  return upstream.call({
    endpoint: createGroupEndpoint,
    body: writeJson({ name }),
    decode: (body, report, warnings) =>
      decodeGroup(readEnvelope(body, createGroupEndpoint, report), warnings),
  });
}

function decodeGroup(wire: WireObject, warnings: readonly InputProblem[]) {
  return wire.finish({
    id: required(wire.id('id'), 'id'),
    name: wire.texts('name'),
    createdAt: wire.dateTime('createdAt'),
    ownerId: wire.id('uid'),
    queueCount: wire.integer('queueCount'),
    queues: wire.records('queues').map(({ raw, members }) => ({
      id: members?.id('id') ?? null,
      name: members?.string('name') ?? null,
      /** The record as the service sent it; the interface does not state its form. */
      raw,
    })),
    warnings,
  });
}
