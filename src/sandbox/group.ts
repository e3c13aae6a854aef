import { createHash } from 'node:crypto';
import type { Clock } from './clock.ts';
import { type Endpoint, readNotedJson } from './endpoint.ts';
import { json, Refusal } from './http.ts';

const firstGroupId = 301;

/** `POST /v1/groups`. */
export function groupEndpoint(clock: Clock): Endpoint {
  let nextId = firstGroupId;
  return {
    name: 'createGroup',
    method: 'POST',
    path: /^\/v1\/groups$/,
    demands: ['x-api-key', 'authorization'],
    async answer(call) {
      const { name } = await readNotedJson(call);
      if (name !== undefined && typeof name !== 'string') throw new Refusal(400, 'name must be a string.');
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

/** The same user for the same API key, without keeping either. */
function ownerOf(tenant: string): number {
  return 1000 + createHash('sha256').update(tenant).digest().readUInt16BE();
}
