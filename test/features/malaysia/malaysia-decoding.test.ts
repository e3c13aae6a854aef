/** How responses about Malaysian documents are decoded where docs/service.md leaves their form open. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { driftOf } from '../../support/drift.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import * as does from '../../support/service.ts';

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

const line = '{ amountExclTax: 1, taxes: [] }';

describe('malaysiaStatus', () => {
  const statusOf = async (body: unknown) => {
    service.will(does.json(200, body));
    const { data, errors } = await gateway.ask(
      '{ malaysiaStatus(documentId: "1") { state rawState isFinal message govPortal { submissionId uuid } } }',
    );
    return errors ? errors[0]?.extensions['code'] : data.malaysiaStatus;
  };
  const words = {
    QUEUED: ['queued', 'pending', 'processing', 'accepted'],
    SUBMITTED: ['submitted'],
    VALIDATED: ['validated', 'valid'],
    REJECTED: ['rejected', 'invalid'],
    FAILED: ['failed', 'validation failed', 'Validation Failed', 'VALIDATION_FAILED'],
    CANCELLED: ['cancelled', 'Cancelled'],
  };
  const rows = Object.entries(words).flatMap(([state, all]) => all.map((word) => [word, state] as const));

  it.each(rows)('reads %s as %s in any case, ignoring spaces and underscores', async (word, state) => {
    const isFinal = !['QUEUED', 'SUBMITTED'].includes(state);
    const spellings = [
      word,
      word.toUpperCase(),
      `  ${word}\t`,
      `_${word.slice(0, 3)}_ ${word.slice(3)}`,
      word.replace(' ', '_'),
    ];
    for (const name of ['status', 'state', 'documentStatus']) {
      for (const spelling of spellings) {
        expect(await statusOf({ docId: 1, [name]: spelling })).toMatchObject({
          state,
          rawState: spelling,
          isFinal,
        });
        expect(await statusOf({ anything: { [name]: spelling } })).toMatchObject({ state, isFinal });
      }
    }
  });

  it.each<[string, unknown, string, string]>([
    [
      'an envelope with its own word',
      { status: 'success', data: { status: 'validated' } },
      'VALIDATED',
      'validated',
    ],
    [
      'a status that is a number',
      { status: 200, data: { documentStatus: 'Rejected' } },
      'REJECTED',
      'Rejected',
    ],
    ['an unknown word before a known one', { status: 'ok', state: 'submitted' }, 'SUBMITTED', 'submitted'],
    [
      'the word in an envelope before that of the envelope',
      { status: 'accepted', data: { status: 'validated' } },
      'VALIDATED',
      'validated',
    ],
    ['the second nested object', { meta: { status: 'fine' }, data: { state: 'failed' } }, 'FAILED', 'failed'],
    ['an empty word', { status: '', data: { status: 'valid' } }, 'VALIDATED', 'valid'],
    ['two unknown words', { status: 'success', data: { status: 'archived' } }, 'UNKNOWN', 'archived'],
    ['only nested unknown words', { data: { status: 'archived' } }, 'UNKNOWN', 'archived'],
    ['the name of an inherited property', { status: 'constructor' }, 'UNKNOWN', 'constructor'],
    ['a text that contains a known word', { status: 'not valid yet' }, 'UNKNOWN', 'not valid yet'],
  ])(
    'uses the innermost known word, otherwise the innermost word: %s',
    async (_what, body, state, rawState) => {
      expect(await statusOf(body)).toMatchObject({ state, rawState });
    },
  );

  it.each<[string, unknown]>([
    ['no word', { message: 'hello' }],
    ['a word in a list', { documents: ['valid'] }],
    ['values that are not words', { status: 1, state: null, documentStatus: { text: 'valid' } }],
  ])('is UPSTREAM_BAD_RESPONSE for a response with %s', async (_what, body) => {
    expect(await statusOf(body)).toBe('UPSTREAM_BAD_RESPONSE');
  });

  it('returns the reason next to the status word as its message', async () => {
    expect(
      await statusOf({ status: 'success', data: { status: 'rejected', reason: 'Buyer TIN' } }),
    ).toMatchObject({ message: 'Buyer TIN' });
    expect(await statusOf({ docId: 1, status: 'failed', errors: ['a', { message: 'b' }, 3] })).toMatchObject({
      message: 'a; b',
    });
  });

  it.each<[string, object]>([
    ['at the top', { status: 'valid', myPortal: { submissionId: 'S1', uuid: 'U1' } }],
    [
      'next to a nested status word',
      { status: 'success', data: { state: 'valid', portal: { submissionId: 'S1', uuid: 'U1' } } },
    ],
    [
      'at the top while the status word is nested',
      { data: { state: 'valid' }, portal: { submissionId: 'S1', uuid: 'U1' } },
    ],
    ['in the object with the status word', { portal: { status: 'valid', submissionId: 'S1', uuid: 'U1' } }],
  ])('finds the ids of the portal under any name, %s', async (_where, body) => {
    expect(await statusOf(body)).toMatchObject({
      state: 'VALIDATED',
      govPortal: { submissionId: 'S1', uuid: 'U1' },
    });
  });
});

describe('the document of an import', () => {
  it.each<[string, unknown]>([
    ['is at the top', { docId: 5 }],
    ['is in a list of one', [{ docId: 5 }]],
    ['is under data', { data: { docId: 5 } }],
    ['is in a list of one under data', { data: [{ docId: 5 }] }],
  ])('%s', async (_what, body) => {
    service.will(does.json(200, body));
    const { data } = await gateway.ask(importOf('documentId'));
    expect(data.importMalaysiaInvoice).toEqual({ documentId: '5' });
  });

  it('is none of a list of two', async () => {
    service.will(does.json(200, { data: [{ docId: 5 }, { docId: 6 }] }));
    const { errors } = await gateway.ask(importOf('documentId'));
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'UPSTREAM_BAD_RESPONSE', sideEffect: 'POSSIBLE' });
  });
});

const importOf = (fields: string) => `mutation {
  importMalaysiaInvoice(input: { queueId: "1", invoice: { docType: INVOICE, docNumber: "N", lines: [] } }) {
    ... on MalaysiaImport { ${fields} }
  }
}`;

describe('govPortal of an import', () => {
  const accepted = {
    ...{ requestId: 'r', queueId: 1, docId: 2, docType: 'invoice', docNumber: '1', message: '' },
    trackingUrl: 'http://a.invalid/',
  };
  const portalOf = async (body: object) => {
    service.will(does.json(200, body));
    const { data } = await gateway.ask(
      `mutation { importMalaysiaInvoice(input: { queueId: "1", invoice: { docType: INVOICE, docNumber: "1", supplier: {}, buyer: {}, lines: [${line}] } }) { ... on MalaysiaImport { govPortal { submissionId uuid } } } }`,
    );
    return data.importMalaysiaInvoice.govPortal;
  };
  const [both, one] = [
    { submissionId: 'S1', uuid: 'U1' },
    { submissionId: 'S1', uuid: null },
  ];

  it.each<[string, object, object | null]>([
    ['under the documented placeholder name', { govPortal: both }, both],
    ['under any other name', { myPortal: both }, both],
    ['with a uuid only', { tax_portal: { uuid: 'U1' } }, { submissionId: null, uuid: 'U1' }],
    ['with a submissionId only', { portal: { submissionId: 'S1' } }, one],
    ['under the placeholder name before any other', { other: { uuid: 'X' }, govPortal: both }, both],
    ['next to members of another form', { meta: { id: 1 }, list: [both], portal: both }, both],
    ['next to a placeholder that is not an object', { govPortal: 'pending', portal: both }, both],
    ['absent', {}, null],
    ['at the top level', { uuid: 'U1', submissionId: 'S1' }, null],
    ['as null', { govPortal: null }, null],
  ])('is recognized by its members: %s', async (_where, members, expected) => {
    expect(await portalOf({ ...accepted, ...members })).toEqual(expected);
  });

  it('causes no drift under another name, but its unknown members do', async () => {
    expect(await driftOf(gateway, () => portalOf({ ...accepted, portalOne: both }))).toEqual({
      counted: 0,
      logged: [],
    });
    expect(
      await driftOf(gateway, () => portalOf({ ...accepted, portalTwo: { ...both, longId: '1' } })),
    ).toEqual({
      counted: 1,
      logged: ['unknown-member import.portalTwo.longId'],
    });
  });
});
