/** How scan results are decoded: parts that do not match docs/service.md are left out and counted as drift. */
import { describe, expect, it } from 'vitest';
import { alice, sendUpload, upload } from '../../support/gateway.ts';
import { gatewayOfService } from '../../support/lifetimes.ts';
import { driftOf } from '../../support/metric.ts';
import * as does from '../../support/service.ts';
import { longestTurn } from '../../support/work.ts';

const { service, gateway } = await gatewayOfService();

const scanned = async (body: object, selection: string, key?: string, headers?: Record<string, string>) => {
  service.will(does.json(200, { scanDocuments: body }));
  const query = `mutation ($file: Upload!, $key: String) {
    scanIdentityCard(input: { file: $file, queueId: "1", idempotencyKey: $key }) { ... on ScanResult ${selection} } }`;
  const form = upload(query, { file: null, key }, 'variables.file', { bytes: 'a card', name: 'card.png' });
  const { data, errors } = await sendUpload(gateway, form, headers);
  return { scan: data.scanIdentityCard, errors };
};

describe('a scan whose response has data but no document id', () => {
  const data = { Name: { UIName: 'Name', UIType: 'Text', matches: [{ match: 'TAN WEI MING' }] } };
  const selection = '{ id documentId status card { name { text } } }';
  const withoutId = (docId: object, key?: string) =>
    scanned({ data, status: 'COMPLETED', ...docId }, selection, key);

  it.each([
    ['empty', { docId: '' }],
    ['an object', { docId: {} }],
  ])('returns the card with an error of side effect POSSIBLE when the id is %s', async (_what, docId) => {
    const { scan, errors } = await withoutId(docId);
    const { id, ...rest } = scan;
    const card = { name: { text: 'TAN WEI MING' } };
    expect(rest).toEqual({ documentId: '', status: 'COMPLETED', card });
    expect(id).toMatch(/^ScanResult:unknown-\w/);
    const extensions = { code: 'UPSTREAM_BAD_RESPONSE', sideEffect: 'POSSIBLE', retryable: false };
    expect(errors).toMatchObject([{ path: ['scanIdentityCard'], extensions }]);
  });

  it('has an id of its own, which a cache does not confuse, also when several requests have one id', async () => {
    const headers = { ...alice, 'x-request-id': 'page-4711' };
    const of = () => scanned({ data }, '{ id again: id }', undefined, headers);
    const [{ scan: one }, { scan: other }] = [await of(), await of()];
    expect(one.again).toBe(one.id);
    expect(other.id).not.toBe(one.id);
  });

  it('keeps its idempotency key as a write whose outcome is unknown', async () => {
    expect((await withoutId({}, 'no-document-1')).scan.card.name.text).toBe('TAN WEI MING');
    const { scan, errors } = await withoutId({}, 'no-document-1');
    expect([scan, errors?.[0]?.extensions['code']]).toEqual([null, 'OUTCOME_UNKNOWN']);
    expect(service.received).toHaveLength(1);
    const outcome = await gateway.ask('{ writeOutcome(idempotencyKey: "no-document-1") { state } }');
    expect(outcome.data.writeOutcome.state).toBe('OUTCOME_UNKNOWN');
  });

  it('is not a scan when it has neither data nor an id', async () => {
    const { scan, errors } = await scanned({ status: 'COMPLETED' }, selection);
    expect([scan, errors?.[0]?.extensions['code']]).toEqual([null, 'UPSTREAM_BAD_RESPONSE']);
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
  const cardOf = async (members: object) => {
    const body = { data: { ...data, ...members }, docId: 1, status: 'COMPLETED' };
    return (await scanned(body, selection)).scan.card;
  };
  const selection = `{ card {
    fields { key } pageSizes { first } textBoxes { text secondText }
    name { text matches { text multi keywordBox { text } valueBox { text secondText } } } } }`;
  const withMatch = (members: object) => ({ Name: { ...field, matches: [{ ...match, ...members }] } });
  /** The card, which must count this drift. */
  const cardWithDrift = async (members: object, drift: number) => {
    const { counted, result } = await driftOf(gateway, () => cardOf(members));
    expect(counted).toBe(drift);
    return result;
  };

  it('has the text boxes of one page when a page is given', async () => {
    const boxes = [0, 1, 1].map((page) => ({ box, page }));
    const body = { data: { ...data, SmallBoxes: boxes }, docId: 1, status: 'COMPLETED' };
    const pages = [0, 1, null].map((page) => `of${page}: textBoxes(page: ${page}) { page }`);
    const { of0, of1, ofnull } = (await scanned(body, `{ card { ${pages} } }`)).scan.card;
    const found = [of0, of1, ofnull].map((boxes) => boxes.map(({ page }: any) => page));
    expect(found).toEqual([[0], [1, 1], [0, 1, 1]]);
  });

  it.each<[string, unknown]>([
    ['of six', box.slice(0, 6)],
    ['with a string among its numbers', [1, '2', 3, 4, 2, 3, 'A', 'A']],
    ['with one coordinate of its centre', [1, 2, 3, 4, 2, null, 'A', 'A']],
    ['that is an object', { left: 1 }],
  ])('leaves out a box %s, of the page and of a match', async (_what, odd) => {
    const boxes = [odd, box].map((each) => ({ box: each, page: 0 }));
    const card = await cardWithDrift({ SmallBoxes: boxes, ...withMatch({ keyword: odd, value: odd }) }, 3);
    expect(card.textBoxes).toEqual([{ text: 'A', secondText: 'A' }]);
    expect(card.name.matches).toMatchObject([{ text: 'A', keywordBox: null, valueBox: null }]);
  });

  it('keeps boxes and sizes of more digits than binary64 has, rounded to it as every Float is', async () => {
    const digits = [
      '0.3333333333333333333333333333',
      '9007199254740993',
      '123.45000000000000284217094304',
      '1e-400',
    ];
    const [left, top, right, bottom] = digits.map((number) => JSON.rawJSON(number));
    const members = {
      SmallBoxes: [{ box: [left, top, right, bottom, 2, 3, 'A', 'A'], page: 0 }],
      DocSize: [[left, top]],
    };
    const fields = '{ card { textBoxes { left top right bottom } pageSizes { first second } } }';
    const { scan } = await scanned({ data: { ...data, ...members }, docId: 1, status: 'COMPLETED' }, fields);
    const [first, second] = [1 / 3, 2 ** 53];
    expect(scan.card.textBoxes).toEqual([{ left: first, top: second, right: 123.45, bottom: 0 }]);
    expect(scan.card.pageSizes).toEqual([{ first, second }]);
  });

  it('leaves out a text box that is null, which is drift', async () => {
    const { textBoxes } = await cardWithDrift({ SmallBoxes: [{ box: null, page: 0 }] }, 1);
    expect(textBoxes).toEqual([]);
  });

  it.each<[string, unknown[], string | null, number]>([
    ['seven elements', box.slice(0, 7), null, 2],
    ['another eighth element', [...box.slice(0, 7), 'B'], 'B', 0],
    ['a confidence as ninth element', [...box, 0.98], 'A', 2],
  ])('keeps boxes with %s', async (_what, odd, secondText, drift) => {
    const members = { SmallBoxes: [{ box: odd, page: 0 }], ...withMatch({ value: odd }) };
    const card = await cardWithDrift(members, drift);
    expect(card.textBoxes).toEqual([{ text: 'A', secondText }]);
    expect(card.name.matches).toMatchObject([{ valueBox: { text: 'A', secondText } }]);
  });

  const empty = { keyword: null, match: null, page: null, value: null };
  const nothing = { text: null, multi: null, keywordBox: null, valueBox: null };

  it.each([[['LINE 1', 'LINE 2']], [{ lines: 2 }], ['LINE 1'], [0], [false]])(
    'has matchmulti %j as it is, and does not read its match as not found',
    async (multi) => {
      const { name } = await cardWithDrift(withMatch({ ...empty, matchmulti: multi }), 1);
      expect(name).toEqual({ text: null, matches: [{ ...nothing, multi }] });
    },
  );

  it('does not read a match of another type as not found', async () => {
    const { name } = await cardOf(withMatch({ ...empty, match: 5 }));
    expect(name).toEqual({ text: '5', matches: [{ ...nothing, text: '5' }] });
  });

  it('leaves out a match that was not found without counting drift', async () => {
    expect((await cardWithDrift(withMatch(empty), 0)).name.matches).toEqual([]);
  });

  it.each([
    ['B', [null, 'B', 'A']],
    ['A', ['', 'A']],
  ])('has the text %s of the first match that has one', async (text, texts) => {
    const matches = texts.map((each) => ({ ...match, match: each }));
    expect((await cardOf({ Name: { ...field, matches } })).name.text).toBe(text);
  });

  it.each<[string, object, number]>([
    ['entries of DocSize that are not pairs of numbers', { DocSize: [[1], [1, 2, 3], ['1', 2], null, 7] }, 5],
    ['a field that is null', { Gender: null }, 1],
    ['matches that are not objects', { Gender: { ...field, matches: [null, 'M'] } }, 2],
    ['an object in place of a list', { SmallBoxes: {} }, 1],
  ])('leaves out %s and counts each as drift', async (_what, members, drift) => {
    await cardWithDrift(members, drift);
  });
});

it('the texts of 20,000 matches are searched once for all fields that ask for one', async () => {
  const data = { Name: { matches: Array(20_000).fill({ match: '' }) } };
  const times = (count: number, of: (index: number) => string) =>
    Array.from({ length: count }, (_, i) => of(i)).join(' ');
  const fields = times(15, (index) => `f${index}: fields { ${times(30, (one) => `t${one}: text`)} }`);
  const longestMs = longestTurn();
  const { scan } = await scanned({ docId: '1', data }, `{ card { ${fields} } }`);
  expect(scan.card.f14[0].t29).toBe('');
  expect(longestMs()).toBeLessThan(250);
});
