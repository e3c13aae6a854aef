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
      fields { key } pageSizes { first } textBoxes { text } name { matches { text keywordBox { text } valueBox { text } } } } } } }`;
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
    ['of seven', box.slice(0, 7)],
    ['of nine', [...box, 'A']],
    ['with a string among its numbers', [1, '2', 3, 4, 2, 3, 'A', 'A']],
    ['with a number among its strings', [1, 2, 3, 4, 2, 3, 'A', 5]],
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
        expect(card.textBoxes).toEqual([{ text: 'A' }]);
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
