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

it.each([
  { who: 'accepted callers', names: ['a', 'b', 'c', 'd', 'calm'], areAccepted: true },
  { who: 'newcomers', names: ['e', 'f', 'new'], areAccepted: false },
])('hung calls of a few $who leave a slot for one who has no other call', async ({ names, areAccepted }) => {
  service.will(does.json(200, { createGroup: { id: 7 } }));
  const callers = names.map(withBoth);
  for (const headers of areAccepted ? callers : []) {
    await gateway.ask('mutation { createGroup(input: {}) { __typename } }', {}, headers);
  }
  const calm = callers.pop();
  const responds = does.json(200, { status: 'SUBMITTED' });
  const held: (() => void)[] = [];
  service.will((...exchange) => void held.push(() => responds(...exchange)));
  const hung = callers.flatMap((headers) =>
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
