/** What callers and operators can do about a status response in a form that Folio does not know. */
import { describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { forFile, forTest, gatewayOfService } from '../../support/lifetimes.ts';
import * as does from '../../support/service.ts';

const { service, gateway: usual } = await gatewayOfService();
const gateway = forFile(
  await startTestGateway({
    UPSTREAM_URL: service.url,
    MALAYSIA_STATUS_STATE: 'payload.0.phase',
    MALAYSIA_STATUS_REASON: 'payload.0.notes',
    MALAYSIA_STATUS_WORDS: 'In Portal=SUBMITTED, done=VALIDATED, accepted=SUBMITTED, 4=REJECTED, true=QUEUED',
  }),
);
const ofData = forFile(
  await startTestGateway({ UPSTREAM_URL: service.url, MALAYSIA_STATUS_STATE: 'data.status' }),
);
const ofObject = forFile(
  await startTestGateway({ UPSTREAM_URL: service.url, MALAYSIA_STATUS_STATE: 'data.status.code' }),
);

async function statusOf(at: TestGateway, body: unknown) {
  service.will(does.json(200, body));
  const query = '{ malaysiaStatus(documentId: "1") { state rawState isFinal message raw } }';
  const { data, errors } = await at.ask(query);
  return errors ? errors[0]?.extensions['code'] : data.malaysiaStatus;
}

it('raw is the response as the service sent it, without the members that do not fit into 16 KiB', async () => {
  const body = { status: 'submitted', colour: 'red', deep: { list: [1, null, 'x'] } };
  expect(await statusOf(usual, body)).toMatchObject({ raw: body });
  expect(await statusOf(usual, [body])).toMatchObject({ raw: body });
  const large = { status: 'submitted', log: 'x'.repeat(20_000), after: 1 };
  expect((await statusOf(usual, large)).raw).toEqual({ status: 'submitted', after: 1 });
});

describe('MALAYSIA_STATUS_STATE, _REASON and _WORDS', () => {
  it.each([
    [
      { phase: 'in portal', notes: ['waiting', 'for LHDN'] },
      { state: 'SUBMITTED', rawState: 'in portal', message: 'waiting; for LHDN' },
    ],
    [{ phase: 'accepted' }, { state: 'SUBMITTED', message: null }],
    [{ phase: 'failed' }, { state: 'FAILED', isFinal: true }],
    [
      { phase: 4, notes: 302 },
      { state: 'REJECTED', rawState: '4', isFinal: true, message: '302' },
    ],
    [{ phase: true }, { state: 'QUEUED', rawState: 'true' }],
    [{ phase: 0 }, { state: 'UNKNOWN', rawState: '0' }],
  ])('lead to the state and its reason, and give known words another state: %j', async (part, status) => {
    expect(await statusOf(gateway, { payload: [part] })).toMatchObject(status);
  });

  it.each<[object, string | null]>([
    [{ message: 'Request processed', data: { docId: 1, status: 'rejected', message: 'TIN' } }, 'TIN'],
    [{ message: 'TIN', data: { status: 'rejected' } }, 'TIN'],
  ])('lead to the state, and the reason next to it is found as without them: %j', async (body, message) => {
    for (const at of [usual, ofData]) {
      expect(await statusOf(at, body)).toMatchObject({ state: 'REJECTED', message });
    }
  });

  it('lead to the state in an object that holds no more, whose reason is in the object around it', async () => {
    const status = { code: 'rejected' };
    const body = { status: 'OK', message: 'One record was found.', data: { status, message: 'TIN' } };
    expect(await statusOf(ofObject, body)).toMatchObject({ state: 'REJECTED', message: 'TIN' });
    const another = { data: { docId: 2, status: { code: 'validated' } } };
    expect(await statusOf(ofObject, another)).toMatchObject({ state: 'UNKNOWN', isFinal: false });
  });

  it('lead to the state where other words leave it open without them', async () => {
    const body = { status: 'failed', info: { status: 'archived' } };
    expect(await statusOf(usual, body)).toMatchObject({ state: 'UNKNOWN', isFinal: false });
    const environment = { UPSTREAM_URL: service.url, MALAYSIA_STATUS_STATE: 'status' };
    const ofTop = forTest(await startTestGateway(environment));
    expect(await statusOf(ofTop, body)).toMatchObject({ state: 'FAILED', isFinal: true });
  });

  it.each([
    { docId: 2, data: { status: 'validated' } },
    { data: { docId: 2, status: 'validated', message: 'TIN' } },
  ])('do not lead to the state of another document: %j', async (body) => {
    for (const at of [usual, ofData]) {
      expect(await statusOf(at, body)).toMatchObject({ state: 'UNKNOWN', isFinal: false, message: null });
    }
  });

  it('make a response without a word at that place unreadable', async () => {
    expect(await statusOf(gateway, { status: 'validated' })).toBe('UPSTREAM_BAD_RESPONSE');
  });
});

it('logs the names and types of the first 30 members of the first unreadable response of an endpoint, and no value', async () => {
  const body = {
    outcome: 'Ms Tan',
    items: [{ no: 1, at: null }, 'x'],
    '990101-14-5678': true,
    a: { b: { c: { d: {} } } },
    ...Object.fromEntries(Array.from({ length: 27 }, (_, index) => [`n${index}`, 1])),
  };
  await statusOf(usual, body);
  await statusOf(usual, body);
  const logged = usual.logged().filter(({ msg }) => msg.includes('unreadable response'));
  const response = {
    ...{ outcome: 'string', items: [{ no: 'number', at: 'null' }], '(no name)': 'boolean' },
    a: { b: { c: { d: 'object' } } },
    ...Object.fromEntries(Array.from({ length: 26 }, (_, index) => [`n${index}`, 'number'])),
  };
  expect(logged).toMatchObject([{ endpoint: 'malaysiaStatus' }]);
  expect(logged[0]?.['response']).toEqual(response);
  expect(JSON.stringify(logged)).not.toContain('Tan');
});
