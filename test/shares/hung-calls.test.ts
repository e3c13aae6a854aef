import { expect, it } from 'vitest';
import { withKey } from '../support/gateway.ts';
import { gatewayWith } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';

const { service, gateway } = await gatewayWith({
  UPSTREAM_CONNECTIONS: '16',
  UPSTREAM_CONCURRENCY_PER_CALLER: '4',
});
const withBoth = (name: string) => ({ ...withKey(name), authorization: `Bearer ${name}` });

it('hung calls of a few accepted callers and of many newcomers leave a slot for one who has no other call', async () => {
  service.will(does.json(200, { createGroup: { id: 7 } }));
  const [calm, ...busy] = ['calm', 'a', 'b', 'c', 'd'].map(withBoth);
  for (const headers of [calm, ...busy])
    await gateway.ask('mutation { createGroup(input: {}) { __typename } }', {}, headers);
  const responds = does.json(200, { status: 'SUBMITTED' });
  const held: (() => void)[] = [];
  service.will((...exchange) => void held.push(() => responds(...exchange)));
  const ask = (id: number, headers?: Record<string, string>) =>
    gateway.ask(`{ malaysiaStatus(documentId: "${id}") { state } }`, {}, headers);
  const hung = busy.flatMap((headers) => [1, 2, 3, 4].map((id) => ask(id, headers)));
  // The last eighth is for callers with no other call, and half of that for accepted ones.
  await expect.poll(() => held.length).toBe(14);
  hung.push(...['1', '2', '3', '4'].map((name, id) => ask(id, withBoth(name))));
  await expect.poll(() => held.length).toBe(15);
  service.will(responds);
  const served = ask(9, calm);
  expect((await Promise.race([served, ...hung])).data).toEqual({ malaysiaStatus: { state: 'SUBMITTED' } });
  for (const respond of held) respond();
  await Promise.all(hung);
});
