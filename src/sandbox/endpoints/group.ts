import { createHash } from 'node:crypto';
import { type Endpoint, readNotedJson, type SandboxParts } from '../endpoint.ts';
import { HttpError, json } from '../http.ts';

const firstGroupId = 301;

/** `POST /v1/groups`. */
export function createGroup({ clock }: SandboxParts): Endpoint {
  let nextId = firstGroupId;
  return {
    method: 'POST',
    path: /^\/v1\/groups$/,
    requiredCredentials: ['apiKey', 'authorization'],
    async handle(call) {
      const { name } = await readNotedJson(call);
      if (name !== undefined && typeof name !== 'string') throw new HttpError(400, 'name must be a string.');
      return json(200, {
        createGroup: {
          createdAt: clock.now(),
          id: nextId++,
          name: name ?? null,
          queueCount: 0,
          queues: [],
          uid: ownerOf(call.tenant),
        },
      });
    },
  };
}

/** Derives the user id from the API key: the same key always has the same user. */
function ownerOf(tenant: string): number {
  return 1000 + createHash('sha256').update(tenant).digest().readUInt16BE();
}
