import { expect, it } from 'vitest';
import { withKey } from '../support/gateway.ts';
import { gatewayWith } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import * as does from '../support/service.ts';

const perCaller = 4;
const { service, gateway } = await gatewayWith({
  UPSTREAM_CONNECTIONS: '16',
  UPSTREAM_CONCURRENCY_PER_CALLER: `${perCaller}`,
});
const withBoth = (name: string) => ({ ...withKey(name), authorization: `Bearer ${name}` });
const busy = ['a', 'b', 'c', 'd'].map(withBoth);
const calm = withBoth('calm');

it('hung calls of a few accepted callers leave a slot for an accepted caller who has no other call', async () => {
  service.will(does.json(200, { createGroup: { id: 7 } }));
  for (const headers of [...busy, calm]) {
    await gateway.ask('mutation { createGroup(input: {}) { __typename } }', {}, headers);
  }
  const responds = does.json(200, { status: 'SUBMITTED' });
  const held: (() => void)[] = [];
  service.will((...exchange) => void held.push(() => responds(...exchange)));
  const hung = busy.flatMap((headers) =>
    Array.from({ length: perCaller }, (_, id) =>
      gateway.ask(`{ malaysiaStatus(documentId: "${id}") { state } }`, {}, headers),
    ),
  );
  const waiting = () => metricOf(gateway, 'folio_service_calls_queued{kind="request"}');
  await expect.poll(async () => held.length + (await waiting())).toBe(hung.length);
  service.will(responds);
  const served = gateway.ask('{ malaysiaStatus(documentId: "9") { state } }', {}, calm);
  expect((await Promise.race([served, ...hung])).data).toEqual({ malaysiaStatus: { state: 'SUBMITTED' } });
  for (const respond of held) respond();
  await Promise.all(hung);
});
