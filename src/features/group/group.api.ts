import type { InputProblem } from '../../errors.ts';
import type { Upstream } from '../../upstream/client.ts';
import { readEnvelope, required, type WireObject } from '../../upstream/decode.ts';
import type { Endpoint } from '../../upstream/endpoint.ts';
import { writeJson } from '../../upstream/exact-json.ts';

/** docs/service.md, "Create a group". */
export const createGroupEndpoint: Endpoint = {
  operation: 'createGroup',
  method: 'POST',
  path: '/v1/groups',
  requiredCredentials: ['apiKey', 'authorization'],
  kind: 'write',
  inputPaths: { name: ['name'] },
};

export interface Group {
  readonly id: string;
  readonly name: string | null;
  readonly createdAt: string | null;
  readonly ownerId: string | null;
  readonly queueCount: number | null;
  readonly queues: readonly Queue[];
  /** What the service reported together with the group. */
  readonly warnings: readonly InputProblem[];
}

export interface Queue {
  readonly id: string | null;
  readonly name: string | null;
  /** The record as the service sent it; the interface does not state its members. */
  readonly raw: Readonly<Record<string, unknown>>;
}

export function createGroup(upstream: Upstream, name: string | undefined): Promise<Group> {
  return upstream.call({
    endpoint: createGroupEndpoint,
    headers: { 'content-type': 'application/json' },
    body: writeJson({ name }),
    decode: (body, report, warnings) => decodeGroup(readEnvelope(body, 'createGroup', report), warnings),
  });
}

function decodeGroup(wire: WireObject, warnings: readonly InputProblem[]): Group {
  return wire.finish({
    id: required(wire.id('id'), 'id'),
    name: wire.string('name'),
    createdAt: wire.dateTime('createdAt'),
    ownerId: wire.id('uid'),
    queueCount: wire.integer('queueCount'),
    queues: wire.objects('queues').map((queue) => ({
      id: queue.id('id'),
      name: queue.string('name'),
      raw: queue.members,
    })),
    warnings,
  });
}
