/** Responses of the service with members that contradict each other or are not documented. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import * as does from '../support/service.ts';

let service: does.TestService;
let gateway: TestGateway;
beforeAll(async () => {
  service = await does.startService();
  gateway = await startTestGateway({ UPSTREAM_URL: service.url });
});
afterAll(async () => {
  await gateway.close();
  await service.close();
});

const create = 'mutation { createGroup(input: {}) { __typename } }';
const validation = '{ mexicoValidation(by: { documentId: "1" }) { steps { name key } } }';
const record = {
  ...{ documentId: '1', uuid: null, validation_result: 'VALID', validatedAt: '2026-01-01T00:00:00Z' },
  ...{ invalid_reason: null, steps: {} },
};

async function driftOf(query: string, body: object): Promise<string[]> {
  const lines = gateway.log().length;
  service.will(does.json(200, body));
  await gateway.ask(query);
  const logged = gateway.log().slice(lines);
  const drift = logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'drift');
  return drift.map(({ kind, member }) => `${kind} ${member}`);
}

describe('a write with several errors in a 200', () => {
  const outcome = async (...codes: string[]) => {
    const errors = codes.map((code) => ({ message: 'no', extensions: { code } }));
    service.will(does.json(200, { createGroup: null, errors }));
    const { extensions } = (await gateway.ask(create)).errors?.[0] ?? {};
    return `${extensions?.['code']} ${extensions?.['sideEffect']}`;
  };

  it('may have been done when one code does not exclude it', async () => {
    expect(await outcome('UNAUTHENTICATED', 'TIMEOUT')).toBe('UPSTREAM_BAD_RESPONSE POSSIBLE');
    expect(await outcome('TIMEOUT', 'UNAUTHENTICATED')).toBe('UPSTREAM_BAD_RESPONSE POSSIBLE');
  });

  it('did nothing when every code says so', async () => {
    expect(await outcome('UNAUTHENTICATED', 'FORBIDDEN')).toBe('UNAUTHENTICATED NONE');
  });
});

describe('drift', () => {
  const group = { id: 7, name: 'a', createdAt: 1, uid: 1, queueCount: 0, queues: [] };

  it('is a member next to an envelope', async () => {
    expect(await driftOf(create, { createGroup: group, trace: 'x' })).toEqual([
      'unknown-member response.trace',
    ]);
    expect(await driftOf(create, { createGroup: group })).toEqual([]);
  });

  it('of a required member with an impossible value is counted once', async () => {
    expect(await driftOf(validation, { ...record, validatedAt: '2026-02-31' })).toEqual([
      'mistyped-member validation.validatedAt',
    ]);
  });
});

describe('the step of the tax authority', () => {
  it('is the other step when authorityStatus is null', async () => {
    const steps = { authorityStatus: null, sat: { result: 'PASS', detail: null } };
    service.will(does.json(200, { ...record, steps }));
    expect((await gateway.ask(validation)).data.mexicoValidation.steps).toEqual([
      { name: 'AUTHORITY_STATUS', key: 'sat' },
    ]);
  });
});
