/** How a group is created. */
import { expect, it } from 'vitest';
import { gatewayOfService } from '../../support/lifetimes.ts';
import * as does from '../../support/service.ts';

const { service, gateway } = await gatewayOfService(does.json(200, { createGroup: { id: 7 } }));

it('a group without a name is created once under its key, whether the name is null or absent', async () => {
  const query = 'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { ... on Group { id } } }';
  const idempotencyKey = 'a-group-without-a-name';
  for (const input of [{ name: null, idempotencyKey }, { idempotencyKey }]) {
    const { data, errors } = await gateway.ask(query, { input });
    expect({ data, errors }).toEqual({ data: { createGroup: { id: '7' } }, errors: undefined });
  }
  expect(service.received.map(({ body }) => String(body))).toEqual(['{}']);
});

it('queues of a group are shown whatever their form is, which the interface does not state', async () => {
  const queues = [7, 'inbox', { id: 8, name: 'b' }, null, [1]];
  service.will(does.json(200, { createGroup: { id: 7, queues } }));
  const query = 'mutation { createGroup(input: {}) { ... on Group { queues { id name raw } } } }';
  const { data, errors } = await gateway.ask(query);
  expect(errors).toBeUndefined();
  expect(data.createGroup.queues).toEqual([
    { id: null, name: null, raw: 7 },
    { id: null, name: null, raw: 'inbox' },
    { id: '8', name: 'b', raw: { id: 8, name: 'b' } },
    { id: null, name: null, raw: [1] },
  ]);
});
