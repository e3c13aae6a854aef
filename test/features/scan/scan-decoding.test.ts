/** How scan results are decoded: parts that do not match docs/service.md are left out and counted as drift. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { driftOf } from '../../support/drift.ts';
import { sendUpload, startTestGateway, type TestGateway, upload } from '../../support/gateway.ts';
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

describe('a scan whose response has data but no document id', () => {
  const data = { Name: { UIName: 'Name', UIType: 'Text', matches: [{ match: 'TAN WEI MING' }] } };
  const query = `mutation ($file: Upload!, $key: String) { scanIdentityCard(input: { file: $file, queueId: "1", idempotencyKey: $key }) {
    ... on ScanResult { id documentId status card { name { text } } } } }`;
  const scanned = (docId: object, key?: string) => {
    service.will(does.json(200, { scanDocuments: { data, status: 'COMPLETED', ...docId } }));
    const form = upload(query, { file: null, key }, 'variables.file', { bytes: 'a card', name: 'card.png' });
    return sendUpload(gateway, form);
  };

  it.each([
    ['absent', {}],
    ['null', { docId: null }],
    ['empty', { docId: '' }],
    ['an object', { docId: {} }],
  ])('returns the card with an error of side effect POSSIBLE when the id is %s', async (_what, docId) => {
    const { data, errors } = await scanned(docId);
    const { id, ...scan } = data.scanIdentityCard;
    expect(scan).toEqual({
      documentId: '',
      status: 'COMPLETED',
      card: { name: { text: 'TAN WEI MING' } },
    });
    expect(id).toMatch(/^ScanResult:unknown-\w/);
    expect(errors).toMatchObject([
      {
        path: ['scanIdentityCard'],
        extensions: { code: 'UPSTREAM_BAD_RESPONSE', sideEffect: 'POSSIBLE', retryable: false },
      },
    ]);
  });

  it('keeps its idempotency key as a write whose outcome is unknown', async () => {
    service.received.length = 0;
    expect((await scanned({}, 'no-document-1')).data.scanIdentityCard.card.name.text).toBe('TAN WEI MING');
    const { data, errors } = await scanned({}, 'no-document-1');
    expect([data.scanIdentityCard, errors?.[0]?.extensions['code']]).toEqual([null, 'OUTCOME_UNKNOWN']);
    expect(service.received).toHaveLength(1);
    const outcome = await gateway.ask('{ writeOutcome(idempotencyKey: "no-document-1") { state } }');
    expect(outcome.data.writeOutcome.state).toBe('OUTCOME_UNKNOWN');
  });

  it('is no scan when it has neither data nor an id', async () => {
    service.will(does.json(200, { scanDocuments: { status: 'COMPLETED' } }));
    const form = upload(query, { file: null }, 'variables.file', { bytes: 'a card', name: 'card.png' });
    const { data, errors } = await sendUpload(gateway, form);
    expect([data.scanIdentityCard, errors?.[0]?.extensions['code']]).toEqual([null, 'UPSTREAM_BAD_RESPONSE']);
  });
});

describe('a scan result', () => {
  const box = [1, 2, 3, 4, 2, 3, 'A', 'A'];
  const match = { keyword: box, match: 'A', matchmulti: null, page: 0, value: box };
  const field = { UICategory: 'c', UIName: 'n', UIType: 'Text', matches: [match] };
  const names = ['DOB', 'ExpiryDate', 'Gender', 'IssueDate', 'Name', 'Nationality', 'NricNumber'];
  const data = {
    ...Object.fromEntries(names.map((name) => [name, field])),
    ...{ DocSize: [[1, 2]], SmallBoxes: [{ box, page: 0 }], num_pages: 1 },
  };
  const scanned = async (members: object) => {
    service.will(
      does.json(200, { scanDocuments: { data: { ...data, ...members }, docId: 1, status: 'COMPLETED' } }),
    );
    const query = `mutation ($file: Upload!) { scanIdentityCard(input: { file: $file, queueId: "1" }) { ... on ScanResult { card {
      fields { key } pageSizes { first } textBoxes { text secondText }
      name { text matches { text multi keywordBox { text } valueBox { text secondText } } } } } } }`;
    const form = upload(query, { file: null }, 'variables.file', { bytes: 'a card', name: 'card.png' });
    return (await sendUpload(gateway, form)).data.scanIdentityCard.card;
  };

  it('has everything and causes no drift when the response is as documented', async () => {
    const { counted } = await driftOf(gateway, async () => {
      expect(await scanned({})).toMatchObject({ textBoxes: [{ text: 'A' }], pageSizes: [{ first: 1 }] });
    });
    expect(counted).toBe(0);
  });

  const oddBoxes: [string, unknown][] = [
    ['of six', box.slice(0, 6)],
    ['with a string among its numbers', [1, '2', 3, 4, 2, 3, 'A', 'A']],
    ['with a number in place of its text', [1, 2, 3, 4, 2, 3, 5, 'A']],
    ['that is an object', { left: 1 }],
    ['that is a string', 'A'],
  ];
  it.each([...oddBoxes, ['that is null', null]])(
    'leaves out a text box %s and counts drift',
    async (_what, odd) => {
      const { counted } = await driftOf(gateway, async () => {
        const card = await scanned({
          SmallBoxes: [
            { box: odd, page: 0 },
            { box, page: 0 },
          ],
        });
        expect(card.textBoxes).toEqual([{ text: 'A', secondText: 'A' }]);
      });
      expect(counted).toBe(1);
    },
  );

  it.each(oddBoxes)('leaves out the box of a match %s and counts drift', async (_what, odd) => {
    for (const [member, name] of [
      ['keyword', 'keywordBox'],
      ['value', 'valueBox'],
    ] as const) {
      const { counted } = await driftOf(gateway, async () => {
        const card = await scanned({ Name: { ...field, matches: [{ ...match, [member]: odd }] } });
        expect(card.name.matches).toMatchObject([{ text: 'A', [name]: null }]);
      });
      expect(counted).toBe(1);
    }
  });

  it.each<[string, unknown[], string | null]>([
    ['seven elements', box.slice(0, 7), null],
    ['a confidence as ninth element', [...box, 0.98], 'A'],
    ['a number as eighth element', [1, 2, 3, 4, 2, 3, 'A', 5], null],
  ])('keeps boxes with %s and counts them as drift', async (_what, odd, secondText) => {
    const { counted } = await driftOf(gateway, async () => {
      const card = await scanned({
        SmallBoxes: [{ box: odd, page: 0 }],
        Name: { ...field, matches: [{ ...match, value: odd }] },
      });
      expect(card.textBoxes).toEqual([{ text: 'A', secondText }]);
      expect(card.name.matches).toMatchObject([{ valueBox: { text: 'A', secondText } }]);
    });
    expect(counted).toBe(2);
  });

  it('has the eighth element of a box', async () => {
    const card = await scanned({ SmallBoxes: [{ box: [1, 2, 3, 4, 2, 3, 'A', 'B'], page: 0 }] });
    expect(card.textBoxes).toEqual([{ text: 'A', secondText: 'B' }]);
  });

  const empty = { keyword: null, match: null, page: null, value: null };
  it.each<[string, unknown]>([
    ['a list', ['LINE 1', 'LINE 2']],
    ['an object', { lines: 2 }],
    ['a text', 'LINE 1'],
    ['a number', 0],
    ['false', false],
  ])(
    'has matchmulti as it is when it is %s, and does not read its match as not found',
    async (_what, multi) => {
      const { counted } = await driftOf(gateway, async () => {
        const card = await scanned({ Name: { ...field, matches: [{ ...empty, matchmulti: multi }] } });
        expect(card.name).toEqual({ text: null, matches: [{ ...nothing, multi }] });
      });
      expect(counted).toBe(1);
    },
  );
  const nothing = { text: null, multi: null, keywordBox: null, valueBox: null };

  it('has the text of the first match that has one', async () => {
    const matches = [{ ...match, match: null }, { ...match, match: 'B' }, match];
    expect((await scanned({ Name: { ...field, matches } })).name.text).toBe('B');
    const withEmpty = [{ ...match, match: '' }, match];
    expect((await scanned({ Name: { ...field, matches: withEmpty } })).name.text).toBe('A');
  });

  it('does not read a match of another type as not found', async () => {
    const card = await scanned({ Name: { ...field, matches: [{ ...empty, match: 5 }] } });
    expect(card.name).toEqual({ text: null, matches: [nothing] });
  });

  it.each<[string, object, number]>([
    ['entries of DocSize that are not pairs of numbers', { DocSize: [[1], [1, 2, 3], ['1', 2], null, 7] }, 5],
    ['entries of SmallBoxes that are not objects', { SmallBoxes: [null, 'A', []] }, 3],
    ['a field that is null', { Gender: null }, 1],
    ['a field that is a string', { Gender: 'M' }, 1],
    ['matches that are not objects', { Gender: { ...field, matches: [null, 'M'] } }, 2],
    ['an object in place of a list', { SmallBoxes: {} }, 1],
  ])('leaves out %s and counts each as drift', async (_what, members, drift) => {
    expect((await driftOf(gateway, () => scanned(members))).counted).toBe(drift);
  });

  it('leaves out a match that was not found without counting drift', async () => {
    const notFound = { keyword: null, match: null, page: null, value: null };
    const { counted } = await driftOf(gateway, async () => {
      const card = await scanned({ Name: { ...field, matches: [notFound] } });
      expect(card.name.matches).toEqual([]);
    });
    expect(counted).toBe(0);
  });
});
