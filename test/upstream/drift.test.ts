import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WireObject } from '../../src/upstream/decode.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import * as does from '../support/service.ts';

const create = 'mutation { createGroup(input: {}) { ... on Group { id name queueCount } } }';
const group = { id: 7, name: 'a', createdAt: 1, uid: 1, queueCount: 0, queues: [] };

let service: does.TestService;
let gateway: TestGateway;
beforeEach(async () => {
  service = await does.startService();
  gateway = await startTestGateway({ UPSTREAM_URL: service.url });
});
afterEach(async () => {
  await gateway.close();
  await service.close();
});

const logged = () =>
  gateway
    .log()
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'drift')
    .map(({ level, endpoint, kind, member }) => `${level} ${endpoint} ${kind} ${member}`);

async function counted(): Promise<string[]> {
  const text = await (await fetch(`${gateway.origin}/metrics`)).text();
  return text.split('\n').filter((line) => line.startsWith('folio_drift_total{'));
}

describe('a response of the service', () => {
  it('that matches docs/service.md causes no drift', async () => {
    service.will(does.json(200, { createGroup: group }));
    await gateway.ask(create);
    expect(logged()).toEqual([]);
    expect(await counted()).toEqual([]);
  });

  it.each<[string, object, string, unknown]>([
    ['gains a member', { ...group, colour: 'red' }, 'unknown-member createGroup.colour', 0],
    ['loses one', { ...group, queueCount: undefined }, 'missing-member createGroup.queueCount', null],
    ['retypes one', { ...group, queueCount: 'none' }, 'mistyped-member createGroup.queueCount', null],
  ])(
    'that %s is decoded, logged once and counted each time',
    async (_what, group, difference, queueCount) => {
      service.will(does.json(200, { createGroup: group }));
      const answers = [await gateway.ask(create), await gateway.ask(create)];
      expect(answers.map(({ data }) => data.createGroup)).toEqual(
        Array(2).fill({ id: '7', name: 'a', queueCount }),
      );
      expect(logged()).toEqual([`warn createGroup ${difference}`]);
      expect(await counted()).toEqual([
        `folio_drift_total{endpoint="createGroup",kind="${difference.split(' ')[0]}"} 2`,
      ]);
    },
  );

  it('that has lost a required member causes an error and drift', async () => {
    service.will(does.json(200, { createGroup: { ...group, id: undefined } }));
    const { errors } = await gateway.ask(create);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'UPSTREAM_BAD_RESPONSE', sideEffect: 'POSSIBLE' });
    expect(logged()).toEqual(['warn createGroup missing-member id']);
  });

  it('with an unknown status word is decoded as UNKNOWN and causes drift', async () => {
    service.will(does.json(200, { status: 'archived' }));
    const { data } = await gateway.ask('{ malaysiaStatus(documentId: "1") { state rawState } }');
    expect(data.malaysiaStatus).toEqual({ state: 'UNKNOWN', rawState: 'archived' });
    expect(logged()).toEqual(['warn malaysiaStatus unknown-word status.status']);
  });

  it('never has its values, or member names that may be personal data, in the log', async () => {
    service.will(
      does.json(200, { createGroup: { ...group, queueCount: 'CANARY', 'Jane CANARY 900101': 1 } }),
    );
    await gateway.ask(create);
    expect(gateway.log().join()).not.toContain('CANARY');
    expect(logged()).toContain('warn createGroup unknown-member (no name)');
  });

  it('with new members each time fills neither the log nor the memory', async () => {
    for (let answer = 0; answer < 30; answer += 1) {
      const added = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`m${answer}_${index}`, 1]));
      service.will(does.json(200, { createGroup: { ...group, ...added } }));
      await gateway.ask(create);
    }
    expect(logged()).toHaveLength(1_000);
    expect(await counted()).toEqual(['folio_drift_total{endpoint="createGroup",kind="unknown-member"} 3000']);
  });
});

it('an object of a response may have 200,000 members', () => {
  const members = Object.fromEntries(
    Array.from({ length: 200_000 }, (_, index) => [`member${index}`, index]),
  );
  let unknown = 0;
  const wire = new WireObject(members, 'answer', () => {
    unknown += 1;
  });
  // Reading takes well below a second. In quadratic time it would exceed the time limit of a test.
  for (const name of Object.keys(members)) wire.integer(name);
  wire.finish();
  expect(unknown).toBe(0);
});
