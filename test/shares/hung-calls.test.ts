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
  { who: 'a few accepted callers', names: ['a', 'b', 'c', 'd', 'calm'], areAccepted: true },
  { who: 'a few newcomers', names: ['e', 'f', 'new'], areAccepted: false },
  {
    who: 'a few accepted callers and one of each of many newcomers',
    names: ['a', 'b', 'c', 'd', 'calm'],
    areAccepted: true,
    invented: ['1', '2', '3', '4'],
  },
])(
  'hung calls of $who leave a slot for one who has no other call',
  async ({ names, areAccepted, invented = [] }) => {
    service.will(does.json(200, { createGroup: { id: 7 } }));
    const callers = names.map(withBoth);
    for (const headers of areAccepted ? callers : []) {
      await gateway.ask('mutation { createGroup(input: {}) { __typename } }', {}, headers);
    }
    const calm = callers.pop();
    const responds = does.json(200, { status: 'SUBMITTED' });
    const held: (() => void)[] = [];
    service.will((...exchange) => void held.push(() => responds(...exchange)));
    const ask = (id: number, headers?: Record<string, string>) =>
      gateway.ask(`{ malaysiaStatus(documentId: "${id}") { state } }`, {}, headers);
    const waiting = () => metricOf(gateway, 'folio_service_calls_queued{kind="request"}');
    const areHeld = (calls: number) => expect.poll(async () => held.length + (await waiting())).toBe(calls);
    const hung = callers.flatMap((headers) => Array.from({ length: perCaller }, (_, id) => ask(id, headers)));
    await areHeld(hung.length);
    hung.push(...invented.map((name, id) => ask(id, withBoth(name))));
    await areHeld(hung.length);
    service.will(responds);
    const served = ask(9, calm);
    expect((await Promise.race([served, ...hung])).data).toEqual({ malaysiaStatus: { state: 'SUBMITTED' } });
    for (const respond of held) respond();
    await Promise.all(hung);
  },
);
