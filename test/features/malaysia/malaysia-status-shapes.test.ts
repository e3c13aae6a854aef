/** The shapes of a Malaysian status response: where its reason and the portal's ids are, and what is a rejected call. */
import { describe, expect, it, vi } from 'vitest';
import { membersNamed } from '../../../src/features/malaysia/status-words.ts';
import { gatewayOfService } from '../../support/lifetimes.ts';
import { driftOf } from '../../support/metric.ts';
import * as does from '../../support/service.ts';
import { leastCpuMs } from '../../support/work.ts';

const { service, gateway } = await gatewayOfService();

async function statusOf(body: unknown) {
  service.will(does.json(200, body));
  const { data, errors } = await gateway.ask(
    '{ malaysiaStatus(documentId: "1") { state rawState isFinal message govPortal { submissionId uuid } } }',
  );
  if (!errors) return data.malaysiaStatus;
  expect(data.malaysiaStatus).toBeNull();
  expect(errors[0]?.extensions).toMatchObject({ sideEffect: 'NONE' });
  return errors[0]?.extensions['code'];
}

it.each<[object, string | null]>([
  [{ errors: [{ message: 'TIN' }], data: { status: 'rejected' } }, 'TIN'],
  [{ status: 'rejected', data: { errors: ['TIN', { message: 'State' }, 3] } }, 'TIN; State'],
  [{ status: 'success', message: 'Found', data: { status: 'rejected' }, info: { message: 'TIN' } }, 'TIN'],
  [{ status: 'rejected', message: 'OK', data: { message: 'TIN' } }, 'TIN'],
  [{ status: 'rejected', message: 'Rejected by the portal', data: { reason: 'TIN' } }, 'TIN'],
  [{ status: 'success', message: 'Buyer TIN', data: { status: 'rejected' } }, 'Buyer TIN'],
  [{ message: 'at the top', data: { status: 'rejected', message: 'at the state' } }, 'at the state'],
  [{ status: 'rejected', reason: '', message: '' }, null],
  [{ status: 'rejected', deep: { deeper: { reason: 'TIN' } } }, null],
  [{ status: 'rejected', errors: [{ error: { error: { msg: 'TIN' } } }] }, 'TIN'],
  [{ status: 'rejected', errors: [{ error: { error: { error: { msg: 'TIN' } } } }] }, null],
  [{ status: 'rejected', errors: { ['n'.repeat(101)]: ['no'] } }, `${'n'.repeat(99)}…: no`],
  [{ status: 'rejected', failureReason: 'TIN', message: 'See the portal' }, 'TIN'],
  [{ status: 'rejected', rejection_reason: 'TIN' }, 'TIN'],
  [{ Status: 'rejected', Errors: [{ Message: 'TIN' }] }, 'TIN'],
  [{ status: 'rejected', invalid_reason: 'TIN' }, 'TIN'],
  [{ status: 'rejected', errors: [{ code: 'DS302' }, { code: 'CF321' }] }, 'code: DS302; code: CF321'],
  [{ status: 'rejected', errors: [{ code: 302 }, { code: 'CF321' }] }, 'code: 302; code: CF321'],
  [{ status: 'rejected', error: { code: 302 } }, 'code: 302'],
  [{ status: 'rejected', errors: { code: 0 } }, null],
  [
    { status: 'rejected', errors: { docNumber: 'used', lines: { 0: 'no' } } },
    'docNumber: used; lines: 0: no',
  ],
  [{ status: 'rejected', errors: { lines: [{ tax: ['no'] }] } }, 'lines: tax: no'],
  [{ status: 'rejected', errors: { buyer: ['a'], total: 'b' } }, 'buyer: a; total: b'],
  [{ status: 'rejected', errors: [{ message: 'TIN' }, { code: 'CF321' }] }, 'TIN; code: CF321'],
  [{ status: 'rejected', error: { code: 'DS302' }, message: 'TIN' }, 'TIN'],
  [{ data: { status: 'rejected', error: { code: 'DS302' } }, message: 'OK' }, 'OK'],
  [{ status: 'rejected', reason: 'T'.repeat(5_000) }, `${'T'.repeat(1_999)}…`],
])(
  'the reason of a rejected document is found at the top and one level down, in up to four levels of lists and objects: %j',
  async (body, message) => {
    expect(await statusOf(body)).toMatchObject({ state: 'REJECTED', message });
  },
);

it('a word for the state is cut after 200 characters, since a watch keeps it', async () => {
  const [word, cut] = ['s'.repeat(200), `${'s'.repeat(199)}…`];
  expect(await statusOf({ status: word })).toMatchObject({ state: 'UNKNOWN', rawState: word });
  expect(await statusOf({ status: `${word}s` })).toMatchObject({ state: 'UNKNOWN', rawState: cut });
});

it('the spellings of known names are put in order without comparing each with several others', () => {
  const known = ['status', 'state', 'documentstatus'];
  const name = (index: number) =>
    `${known[(index * 7_919) % 3]}${'_'.repeat(index % 90)}-`.concat(' '.repeat(index % 89));
  const members = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [name(index), index]));
  const compared = vi.spyOn(String.prototype, 'toLowerCase');
  const named = membersNamed(known, members);
  expect(compared.mock.calls.length).toBeLessThanOrEqual(2 * Object.keys(members).length);
  compared.mockRestore();
  expect(named).toEqual(known.flatMap((word) => Object.keys(members).filter((one) => one.startsWith(word))));
});

it.each([
  [99, 'REJECTED'],
  [100, 'UNKNOWN'],
])('a state is looked for in 100 objects: with %i around it it is %s', async (count, state) => {
  const others = Array.from({ length: count - 1 }, (_, index) => [`n${index}`, { status: 'x' }]);
  const body = { ...Object.fromEntries(others), last: { status: 'rejected' } };
  expect(await statusOf(body)).toMatchObject({ state });
});

describe('the ids of the portal', () => {
  it('have at most 200 characters, since a watch keeps them', async () => {
    const id = 'S'.repeat(200);
    const body = { status: 'submitted', govPortal: { submissionId: id, uuid: `${id}S` } };
    expect(await statusOf(body)).toMatchObject({ govPortal: { submissionId: id, uuid: null } });
  });

  const both = { submissionId: 'S1', uuid: 'U1' };
  it.each<[object, object | null]>([
    [{ govPortal: both, data: { status: 'submitted' } }, both],
    [{ govPortal: [both], status: 'submitted' }, both],
    [{ status: 'submitted', a: { submissionId: 'S2' }, b: both }, both],
    [{ status: 'submitted', a: { submissionId: 'S2', uuid: 'U2' }, govPortal: both }, both],
    [
      { status: 'submitted', a: { uuid: 'D1' }, b: { submissionId: 'S1' } },
      { ...both, uuid: null },
    ],
    [
      { status: 'submitted', empty: { uuid: null }, portal: { uuid: 'U1' } },
      { ...both, submissionId: null },
    ],
    [{ status: 'submitted', ...both }, both],
    [
      { status: 'submitted', govPortal: { submissionId: 7, uuid: ' ' } },
      { submissionId: '7', uuid: null },
    ],
    [
      { status: 'submitted', submissionId: 'S1' },
      { submissionId: 'S1', uuid: null },
    ],
    [{ status: 'submitted', govPortal: { submissionId: null, uuid: '' } }, null],
    [
      { status: 'submitted', data: { submissionId: 'S1' } },
      { ...both, uuid: null },
    ],
    [{ status: 'submitted', uuid: 'D1' }, null],
    [{ status: 'submitted', data: { uuid: 'D1' } }, null],
    [{ document: { status: 'submitted', uuid: 'D1' } }, null],
  ])('are found at the top and one level down, under any name: %j', async (body, govPortal) => {
    expect(await statusOf(body)).toMatchObject({ state: 'SUBMITTED', govPortal });
  });
});

describe('a response of status 200 that rejects the call', () => {
  const coded = (code: string) => [{ message: 'no', extensions: { code } }];
  it.each<[object, string]>([
    [{ status: 'error', data: null, errors: coded('UNAUTHENTICATED') }, 'UNAUTHENTICATED'],
    [{ status: 'error', data: {}, errors: coded('FORBIDDEN') }, 'FORBIDDEN'],
    [{ status: 'error', data: { status: null }, errors: coded('NOT_FOUND') }, 'NOT_FOUND'],
    [{ status: 'failed', data: null, errors: coded('BAD_USER_INPUT') }, 'BAD_USER_INPUT'],
    [{ status: 'rejected', errors: coded('UNAUTHENTICATED') }, 'UNAUTHENTICATED'],
    [{ status: 'rejected', code: 'FORBIDDEN', message: 'no' }, 'FORBIDDEN'],
    [{ status: 'failed', errors: coded('TIMEOUT') }, 'UPSTREAM_BAD_RESPONSE'],
    [{ statusCode: 401, message: 'Unauthorized', status: 'error' }, 'UNAUTHENTICATED'],
    [{ statusCode: '403', message: 'Forbidden', status: 'failed' }, 'FORBIDDEN'],
    [{ status: 401, message: 'Unauthorized' }, 'UNAUTHENTICATED'],
    [{ status: 'success', data: null, errors: coded('UNAUTHENTICATED') }, 'UNAUTHENTICATED'],
    [{ status: 'failed', id: 'error-1', message: 'no' }, 'UPSTREAM_BAD_RESPONSE'],
    [{ status: 'failed', id: 7, message: 'no' }, 'UPSTREAM_BAD_RESPONSE'],
    [{ statusCode: 400, status: 'error', documentId: '1' }, 'UPSTREAM_BAD_RESPONSE'],
    [{ statusCode: 302, status: 'failed' }, 'UPSTREAM_BAD_RESPONSE'],
    [{ status: '404', docId: 1 }, 'NOT_FOUND'],
    [{ statusCode: 401, data: { status: 'failed', message: 'Token expired' } }, 'UNAUTHENTICATED'],
    [{ success: false, status: 'invalid', message: 'Invalid token' }, 'UPSTREAM_BAD_RESPONSE'],
    [{ success: false, status: 'done', info: { status: 'failed' } }, 'UPSTREAM_BAD_RESPONSE'],
    [{ status: 'failed', message: 'no', documentationUrl: 'errors.html' }, 'UPSTREAM_BAD_RESPONSE'],
  ])('is an error and not the final state FAILED: %j', async (body, code) => {
    expect(await statusOf(body)).toBe(code);
  });

  it('has the service’s own text in its error', async () => {
    service.will(does.json(200, { status: 'error', message: 'Token expired' }));
    const { errors } = await gateway.ask('{ malaysiaStatus(documentId: "1") { state } }');
    expect(errors?.[0]?.extensions['upstream']).toMatchObject({ messages: ['Token expired'] });
  });

  it.each<[object, string]>([
    [{ status: 'failed', docId: 1, errors: [{ message: 'no' }] }, 'FAILED'],
    [{ status: 'failed', id: 1, message: 'could not be submitted' }, 'FAILED'],
    [{ status: 'failed', portal: { submissionId: 'S1' } }, 'FAILED'],
    [{ status: 'failed', submittedAt: '2031-04-09' }, 'FAILED'],
    [{ documentStatus: 'failed', message: 'no' }, 'FAILED'],
    [{ status: 'failed', data: { status: 'failed' } }, 'FAILED'],
    [{ statusCode: 200, status: 'failed' }, 'FAILED'],
    [{ status: 'failed', supplier: {}, lines: [] }, 'FAILED'],
    [{ success: false, status: 'rejected', docId: 1 }, 'REJECTED'],
    [{ success: false, info: { status: 'failed', docId: 1 } }, 'FAILED'],
    [{ success: false, getMalaysiaStatus: { status: 'failed' } }, 'FAILED'],
    [{ statusOfInvoice: { status: 'failed' } }, 'FAILED'],
    [{ statusCode: 401, data: { status: 'failed', docId: 1 } }, 'FAILED'],
    [{ statusCode: 422, status: 'rejected', documentId: '1' }, 'REJECTED'],
    [{ status: 'rejected', errors: coded('INVALID_TIN') }, 'REJECTED'],
  ])('is not one with evidence of the document: %j', async (body, state) => {
    expect(await statusOf(body)).toMatchObject({ state, isFinal: true });
  });
});

describe('the word for the state', () => {
  const words = {
    QUEUED: ['queued', 'pending', 'processing', 'accepted'],
    SUBMITTED: ['submitted'],
    VALIDATED: ['validated', 'valid'],
    REJECTED: ['rejected', 'invalid'],
    FAILED: ['failed', 'failed during later processing', 'validation failed', 'VALIDATION_FAILED'],
    CANCELLED: ['cancelled', 'Cancelled'],
  };
  const rows = Object.entries(words).flatMap(([state, all]) => all.map((word) => [word, state] as const));

  it.each(rows)('%s is %s in any case, ignoring spaces and underscores', async (word, state) => {
    const isFinal = !['QUEUED', 'SUBMITTED'].includes(state);
    const rawState = `  _${word.slice(0, 3).toUpperCase()}_ ${word.slice(3)}\t`;
    expect(await statusOf({ docId: 1, status: rawState })).toMatchObject({ state, rawState, isFinal });
  });

  it.each<[unknown, string, string]>([
    [[{ status: 'validated' }], 'VALIDATED', 'validated'],
    [{ data: { result: { document: { status: 'validated' } } } }, 'VALIDATED', 'validated'],
    [{ a: { b: { c: { d: { status: 'validated' } } } } }, 'VALIDATED', 'validated'],
    [{ status: 'valid', data: { status: 'submitted' } }, 'SUBMITTED', 'submitted'],
    [{ status: 'submitted', govPortal: { uuid: 'U1', status: 'Valid' } }, 'VALIDATED', 'Valid'],
    [{ status: { code: 3, name: 'rejected' } }, 'REJECTED', 'rejected'],
    [{ status: ['rejected'] }, 'REJECTED', 'rejected'],
    [{ status: [{ name: 'rejected' }] }, 'REJECTED', 'rejected'],
    [{ einvoiceStatus: 'rejected' }, 'REJECTED', 'rejected'],
    [{ Status: { Code: 'rejected' } }, 'REJECTED', 'rejected'],
    [{ validation_status: 'Invalid' }, 'REJECTED', 'Invalid'],
    [{ docId: 1, status: 'error' }, 'UNKNOWN', 'error'],
    [{ status: 'ok', state: 'submitted' }, 'SUBMITTED', 'submitted'],
    // An object with the id of the document is the document, whatever its name.
    [
      { status: 'failed', message: 'Token expired', x: { docId: 1, status: 'submitted' } },
      'SUBMITTED',
      'submitted',
    ],
    [{ x: [{ documentId: '1', status: 'submitted' }], status: 'validated' }, 'SUBMITTED', 'submitted'],
    [{ docId: 1, status: 'validated', x: { docId: 1, status: 'submitted' } }, 'VALIDATED', 'validated'],
    [{ status: 'validated', x: { docId: 2, status: 'submitted' } }, 'VALIDATED', 'validated'],
    // Whether `failed` is the call or the document is open.
    [{ status: 'failed', x: { status: 'submitted' } }, 'UNKNOWN', 'failed'],
    [{ status: 'failed', docNumber: 'A', x: { status: 'submitted' } }, 'FAILED', 'failed'],
    [{ status: 'success', data: { status: 'archived' } }, 'UNKNOWN', 'archived'],
    [{ status: 'constructor' }, 'UNKNOWN', 'constructor'],
    [{ status: 'not valid yet' }, 'UNKNOWN', 'not valid yet'],
  ])('is the innermost known word, otherwise the innermost word: %j', async (body, state, rawState) => {
    expect(await statusOf(body)).toMatchObject({ state, rawState });
  });

  it.each<[object, string, boolean]>([
    [{ status: 'submitted', buyer: { state: 'Pending' } }, 'SUBMITTED', false],
    [{ status: 'submitted', errors: [{ status: 'failed' }] }, 'SUBMITTED', false],
    [{ status: 'submitted', payment: { status: 'failed' } }, 'SUBMITTED', false],
    [{ status: 'submitted', history: [{ status: 'queued' }] }, 'SUBMITTED', false],
    [{ status: 'At the portal', signature: { status: 'valid' } }, 'UNKNOWN', false],
    [{ data: { status: 'Archived', job1: { status: 'rejected' } } }, 'UNKNOWN', false],
    [{ status: 'OK', info: { status: 'validated' } }, 'VALIDATED', true],
    [{ status: 'validated', steps: [{ status: 'failed' }, { status: 'valid' }] }, 'VALIDATED', true],
  ])('is not that of a party, an address, an error or something else: %j', async (body, state, isFinal) => {
    expect(await statusOf(body)).toMatchObject({ state, isFinal });
  });

  it.each([
    { '1': { status: 'validated' }, '2': { status: 'rejected' } },
    { docId: 1, submission: { status: 'failed' }, validation: { status: 'valid' } },
  ])('is UNKNOWN and not final when objects at one depth have different ones: %j', async (body) => {
    expect(await statusOf(body)).toMatchObject({ state: 'UNKNOWN', isFinal: false });
  });

  it.each<[object, string, boolean]>([
    [{ status: 'validated', documentStatus: 'rejected' }, 'UNKNOWN', false],
    [{ status: 'rejected', validationStatus: 'pending' }, 'UNKNOWN', false],
    [{ status: 'rejected', validationStatus: 'valid' }, 'UNKNOWN', false],
    [{ status: 'cancelled', validationStatus: 'rejected' }, 'UNKNOWN', false],
    [{ status: 'validated', data: { state: 'valid', validation_status: 'Invalid' } }, 'UNKNOWN', false],
    [{ status: 'accepted', validationStatus: 'valid' }, 'QUEUED', false],
    [{ status: 'cancelled', validationStatus: 'valid' }, 'CANCELLED', true],
    [{ status: 'validated', validationStatus: 'valid', state: 'archived' }, 'VALIDATED', true],
  ])('is not final next to another known word of its object: %j', async (body, state, isFinal) => {
    expect(await statusOf(body)).toMatchObject({ state, isFinal });
  });

  it.each([
    { document_id: '0012', state: 'rejected' },
    { docId: 2, data: { status: 'validated' } },
    { data: { DocumentId: 2, status: 'validated' } },
  ])('is UNKNOWN and not final next to the id of another document: %j', async (body) => {
    const { rawState, ...status } = await statusOf(body);
    expect(status).toMatchObject({ state: 'UNKNOWN', isFinal: false });
    expect(rawState).toMatch(/validated|rejected/);
  });

  it('has neither the reason nor the portal ids of another document', async () => {
    const govPortal = { submissionId: 'S', uuid: 'U' };
    const body = { docId: 2, status: 'rejected', reason: 'TIN', govPortal };
    expect(await statusOf(body)).toMatchObject({ state: 'UNKNOWN', message: null, govPortal: null });
  });

  it('is read in little time next to an id of 200,000 zeros', async () => {
    const body = { docId: `${'0'.repeat(200_000)}x`, status: 'validated' };
    expect(await leastCpuMs(() => statusOf(body), 100)).toBeLessThan(100);
  });

  it.each([
    { docId: '001', status: 'validated' },
    { docId: 2, documentId: 1, status: 'validated' },
    { docId: 'D-2', status: 'validated' },
    { docId: null, status: 'validated' },
    { docId: { toString: 2 }, status: 'validated' },
    { status: 'validated', govPortal: { uuid: 'U', documentId: 2 } },
    { status: 'validated', originalInvoice: { docId: 2 } },
  ])('counts next to an id that may be of this document: %j', async (body) => {
    expect(await statusOf(body)).toMatchObject({ state: 'VALIDATED', isFinal: true });
  });

  it('is read when objects at one depth have the same one', async () => {
    const [submission, validation] = [{ status: 'Valid' }, { status: 'validated' }];
    expect(await statusOf({ submission, validation })).toMatchObject({
      state: 'VALIDATED',
      rawState: 'Valid',
    });
  });

  it.each([
    { buyer: { state: 'Pending' } },
    { docId: 1, originalInvoice: { status: 'validated' } },
    { docId: 1, history: [{ status: 'rejected' }] },
    { docId: 1, signature: { status: 'valid' } },
    { docId: 1, webhook: { status: 'failed' } },
    { job: { status: 'failed', message: 'busy' } },
    { message: 'hello' },
    { documents: ['valid'] },
    { a: { b: { c: { d: { fifth: { status: 'validated' } } } } } },
    { status: 1, state: null, documentStatus: { text: 'valid' } },
  ])('is not read in a part or a value that is something else: %j', async (body) => {
    expect(await statusOf(body)).toBe('UPSTREAM_BAD_RESPONSE');
  });
});

it.each<[object, string[]]>([
  [{ status: 'submitted', message: null, govPortal: null, documentId: '1' }, []],
  [{ status: 'submitted', taxPortal: { submissionId: 'S1', uuid: 'U1' } }, []],
  [{ status: 'success', data: { status: 'submitted' } }, []],
  [{ data: [{ status: 'submitted' }] }, []],
  [{ status: 'submitted', statusCode: 200, code: 'OK', success: true, data: null }, []],
  [{ status: 'submitted', colour: 'red' }, ['unknown-member status.colour']],
  [{ status: 'submitted', look: { colour: 'red' } }, ['unknown-member status.look']],
  [{ data: { status: 'submitted', size: 1 } }, ['unknown-member status.data.size']],
  [
    { data: { status: 'submitted', portal: { submissionId: 'S1', longId: 'L' } } },
    ['unknown-member status.data.portal.longId'],
  ],
  [
    { status: 'submitted', portalRequest: { submissionId: 'S1', longId: 'L' } },
    ['unknown-member status.portalRequest.longId'],
  ],
])('drift of a Malaysian status counts the members that Folio does not know: %j', async (body, logged) => {
  const drift = await driftOf(gateway, () => statusOf(body));
  expect(drift).toMatchObject({ counted: logged.length, logged });
});
