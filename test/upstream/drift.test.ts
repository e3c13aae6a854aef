/** Differences between the service's responses and its description: decoded, logged once and counted. */
import { beforeEach, describe, expect, it } from 'vitest';
import { WireObject } from '../../src/upstream/decode.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { forTest, serviceForFile } from '../support/lifetimes.ts';
import { driftOf, samplesOf } from '../support/metric.ts';
import * as does from '../support/service.ts';
import { cpuClock } from '../support/work.ts';

const create = 'mutation { createGroup(input: {}) { ... on Group { id name queueCount } } }';
const group = { id: 7, name: 'a', createdAt: 1, uid: 1, queueCount: 0, queues: [] };

const service = await serviceForFile();
let gateway: TestGateway;
beforeEach(async () => {
  gateway = forTest(await startTestGateway({ UPSTREAM_URL: service.url }));
});

/** The drift that a response of the service causes, with the result of its query. */
async function driftAfter(body: object, query = create) {
  return await driftAfterResponse(does.json(200, body), query);
}

async function driftAfterResponse(behaviour: does.Behaviour, query = create) {
  service.will(behaviour);
  const { counted, logged, result } = await driftOf(gateway, () => gateway.ask(query));
  return { counted, logged, data: result.data, error: result.errors?.[0]?.extensions };
}

describe('a response of the service', () => {
  it('that matches docs/service.md causes no drift', async () => {
    expect(await driftAfter({ createGroup: group })).toMatchObject({ counted: 0, logged: [] });
  });

  it.each<[string, object, string, unknown]>([
    ['gains a member', { ...group, colour: 'red' }, 'unknown-member createGroup.colour', 0],
    ['loses one', { ...group, queueCount: undefined }, 'missing-member createGroup.queueCount', null],
    ['retypes one', { ...group, queueCount: 'none' }, 'mistyped-member createGroup.queueCount', null],
  ])('that %s is decoded, logged once and counted each time', async (_what, sent, drift, queueCount) => {
    const data = { createGroup: { id: '7', name: 'a', queueCount } };
    expect(await driftAfter({ createGroup: sent })).toMatchObject({ counted: 1, logged: [drift], data });
    expect(await driftAfter({ createGroup: sent })).toMatchObject({ counted: 1, logged: [], data });
    expect(gateway.log().join()).toMatch(/"level":"warn".*"endpoint":"createGroup"/);
    const [kind] = drift.split(' ');
    expect(await samplesOf(`${gateway.origin}/metrics`, 'folio_drift_total')).toEqual({
      [`{endpoint="createGroup",kind="${kind}"}`]: 2,
    });
  });

  it.each<[object, ...string[]]>([
    [{ createGroup: [group] }, 'mistyped-member response.createGroup'],
    [[{ createGroup: group }], 'mistyped-member response'],
    [
      { data: [{ createGroup: group }] },
      'missing-member response.createGroup',
      'unknown-member response.data',
    ],
    [{ createGroup: group, data: { createGroup: { ...group, id: 8 } } }, 'unknown-member response.data'],
  ])(
    'whose envelope is in a list, under `data` or twice is decoded, and causes drift: %j',
    async (body, ...drifts) => {
      const data = { createGroup: { id: '7', name: 'a', queueCount: 0 } };
      expect(await driftAfter(body)).toMatchObject({ counted: drifts.length, logged: drifts, data });
    },
  );

  it.each([
    ['without saying so', 'application/json', '\ufffd', 1],
    ['as its type says', 'application/json; charset=iso-8859-1', 'é', 0],
  ])('in Latin-1 %s has drift if its bytes are not read as they are', async (_how, type, name, count) => {
    const bytes = Buffer.from('{"createGroup":{"id":7,"name":"é"}}', 'latin1');
    const { data, logged } = await driftAfterResponse(does.text(200, bytes, { 'content-type': type }));
    expect(data.createGroup.name).toBe(name);
    expect(logged.filter((line) => line === 'not-utf8 response')).toHaveLength(count);
  });

  it('that differs in 5,000 places is decoded, and counts 1,000 times', async () => {
    expect(await driftAfter({ createGroup: { ...group, queues: Array(5_000).fill(1) } })).toMatchObject({
      counted: 1_000,
      data: { createGroup: { id: '7' } },
    });
  });

  it.each([
    ['lost', undefined, 'missing-member id'],
    ['retyped', {}, 'mistyped-member createGroup.id'],
  ])('that has %s a required member causes an error and one drift', async (_how, id, drift) => {
    expect(await driftAfter({ createGroup: { ...group, id } })).toMatchObject({
      logged: [drift],
      error: { code: 'UPSTREAM_BAD_RESPONSE', sideEffect: 'POSSIBLE' },
    });
  });

  it('with an unknown status word is decoded as UNKNOWN and causes drift', async () => {
    const query = '{ malaysiaStatus(documentId: "1") { state rawState } }';
    expect(await driftAfter({ status: 'archived' }, query)).toMatchObject({
      logged: ['unknown-word status.status'],
      data: { malaysiaStatus: { state: 'UNKNOWN', rawState: 'archived' } },
    });
  });

  it('never has the credentials of its caller in the log, also where they are names of members', async () => {
    const [key, token] = ['alice-key-4711', 'alice-token-4711'];
    const { logged } = await driftAfter({ createGroup: { ...group, [key]: 1, [`of-${token}`]: 1 } });
    expect(logged).toEqual([
      'unknown-member createGroup.[removed]',
      'unknown-member createGroup.of-[removed]',
    ]);
    await driftAfter({ [key]: { [token]: 1 } });
    expect(gateway.logged('unreadable response')).toHaveLength(1);
    expect(gateway.log().join()).not.toMatch(/alice-(key|token)/);
  });

  it('with members that are not logged by name, of another form or above 200 characters, is logged once', async () => {
    const long = 'n'.repeat(200 - 'createGroup.'.length);
    const sent = { ...group, [long]: 1, [`${long}1`]: 1, [`${long}2`]: 1, 'Jane Doe': 1 };
    const logged = [`unknown-member createGroup.${long}`, 'unknown-member (no name)'];
    expect(await driftAfter({ createGroup: sent })).toMatchObject({ counted: 4, logged });
  });

  it('with new members each time fills neither the log nor the memory', async () => {
    let inLog = 0;
    for (let response = 0; response < 12; response += 1) {
      const added = Array.from({ length: 100 }, (_, index) => [`m${response}_${index}`, 1]);
      const sent = { ...group, ...Object.fromEntries(added) };
      const { counted, logged } = await driftAfter({ createGroup: sent });
      expect(counted).toBe(100);
      inLog += logged.length;
    }
    expect(inLog).toBe(1_000);
  });
});

it('an object of a response may have 50,000 members, read in linear time', () => {
  const members = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`member${index}`, index]));
  let unknown = 0;
  const wire = new WireObject(members, 'answer', () => {
    unknown += 1;
  });
  const spentMs = cpuClock();
  for (const name of Object.keys(members)) wire.integer(name);
  wire.finish(null);
  expect(unknown).toBe(0);
  // In quadratic time 3 s.
  expect(spentMs()).toBeLessThan(1_000);
});
