import { expect, it } from 'vitest';
import { withKey } from '../support/gateway.ts';
import { gatewayWith } from '../support/lifetimes.ts';
import { samplesOf } from '../support/metric.ts';
import * as does from '../support/service.ts';

const perCaller = 4;
const { service, gateway } = await gatewayWith({
  UPSTREAM_CONNECTIONS: '16',
  UPSTREAM_CONCURRENCY_PER_CALLER: `${perCaller}`,
  UPSTREAM_READ_DEADLINE_MS: '3000',
});
const withBoth = (name: string) => ({ ...withKey(name), authorization: `Bearer ${name}` });
const busy = ['a', 'b', 'c', 'd'].map(withBoth);
const calm = withBoth('calm');

it('hung calls of a few accepted callers leave a slot for an accepted caller who has no other call', async () => {
  service.will(does.json(200, { createGroup: { id: 7 } }));
  for (const headers of [...busy, calm]) {
    await gateway.ask('mutation { createGroup(input: {}) { __typename } }', {}, headers);
  }
  service.will(does.hang);
  const hung = busy.flatMap((headers) =>
    Array.from({ length: perCaller }, (_, id) =>
      gateway.ask(`{ malaysiaStatus(documentId: "${id}") { state } }`, {}, headers),
    ),
  );
  const samples = (name: string) => samplesOf(`${gateway.origin}/metrics`, name);
  const inProgress = async () => {
    const all = {
      ...(await samples('folio_service_calls_in_flight')),
      ...(await samples('folio_service_calls_queued')),
    };
    return Object.values(all).reduce((sum, calls) => sum + calls, 0);
  };
  await expect.poll(inProgress).toBe(hung.length);
  service.will(does.json(200, { status: 'SUBMITTED' }));
  const served = gateway.ask('{ malaysiaStatus(documentId: "9") { state } }', {}, calm);
  expect((await Promise.race([served, ...hung])).data).toEqual({ malaysiaStatus: { state: 'SUBMITTED' } });
  await Promise.all(hung);
});
