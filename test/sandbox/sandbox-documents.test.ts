import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { credentialHeaders } from '../../src/sandbox/credentials.ts';
import {
  alice,
  bob,
  exported,
  imported,
  post,
  type ServiceResponse,
  sandbox,
  scan,
  scanForm,
  startedAt,
  statusesOf,
  useSandbox,
} from '../support/sandbox.ts';

useSandbox();

describe('the credentials of a call', () => {
  const { authorization, ...keyOnly } = alice;
  const withKey = (key: string) => ({ ...alice, [credentialHeaders.apiKey]: key });

  it.each<[headers: Record<string, string>, scan: number, group: number, malaysia: number]>([
    [{}, 401, 401, 200],
    [{ authorization }, 401, 401, 200],
    [keyOnly, 200, 401, 200],
    [alice, 200, 200, 200],
    [withKey('bad-key'), 401, 401, 401],
    [withKey('forbidden-key'), 403, 403, 403],
    [{ ...alice, authorization: 'Bearer expired-token' }, 401, 401, 401],
    [{ ...alice, authorization: 'Basic abc' }, 401, 401, 401],
  ])(
    'are required as docs/service.md states, and must be valid where they are sent: %j',
    async (headers, ...expected) => {
      const statuses = statusesOf(
        () => scan(scanForm(), headers),
        () => post('/v1/groups', {}, headers),
        () => imported({}, '12', headers),
      );
      expect(await statuses).toEqual(expected);
    },
  );

  it('that are refused cause an error in JSON with statusCode, message and error', async () => {
    const body = { statusCode: 401, message: 'The API key is unknown.', error: 'Unauthorized' };
    expect((await post('/v1/groups', {}, withKey('bad-key'))).body).toEqual(body);
  });

  it('are 429 with Retry-After on every third call for a key that begins with limited', async () => {
    const limited = () => post('/v1/groups', {}, withKey('limited-key'));
    expect(await statusesOf(limited, limited)).toEqual([200, 200]);
    expect((await limited()).headers.get('retry-after')).toBe('1');
    expect(await statusesOf(limited, limited, limited)).toEqual([200, 200, 429]);
  });
});

describe('POST /v1/documents/scan/nric', () => {
  it('returns the same card for the same file, with boxes of eight members', async () => {
    const [first, second] = [(await scan()).body.scanDocuments, (await scan()).body.scanDocuments];
    expect(first).toMatchObject({ status: 'COMPLETED', docId: 5001 });
    expect(second).toEqual({ ...first, docId: 5002 });
    const { Name, SmallBoxes, DocSize, num_pages } = first.data;
    expect(Name).toMatchObject({ UICategory: 'Basic Information', UIName: 'Name', UIType: 'Text' });
    const [{ match, value, page, matchmulti }] = Name.matches;
    expect([match, page, matchmulti]).toEqual([value[6], 0, null]);
    expect(SmallBoxes.slice(0, 2).map(({ box }: { box: unknown }) => box)).toEqual([
      [40, 36, 157, 65, 98.5, 50.5, 'SINGAPORE', 'SINGAPORE'],
      [40, 74, 209, 103, 124.5, 88.5, 'Date of birth', 'Date of birth'],
    ]);
    expect(SmallBoxes).toContainEqual({ box: value, page: 0 });
    expect(DocSize).toHaveLength(num_pages);
  });

  it('returns one of five cards, none with an expiry date, each printed on its front, with the date of issue on its last page, each page from its top and no two texts in one place', async () => {
    const numbers = new Set<string>();
    for (let n = 0; n < 30; n++) {
      const { num_pages, SmallBoxes, ...data } = (await scan(scanForm(`file ${n}`))).body.scanDocuments.data;
      numbers.add(data.NricNumber.matches[0].match);
      expect([1, 2]).toContain(num_pages);
      expect(data.ExpiryDate.matches).toEqual([{ keyword: null, match: null, page: null, value: null }]);
      const pages = Object.entries<any>(data).flatMap(([name, { matches }]) =>
        matches?.[0].value ? [[name, matches[0].page]] : [],
      );
      const front = ['DOB', 'Gender', 'Name', 'Nationality', 'NricNumber'].map((name) => [name, 0]);
      expect(pages.sort()).toEqual([...front, ['IssueDate', num_pages - 1]].sort());
      expect(SmallBoxes.at(-1).page).toBe(num_pages - 1);
      for (const page of [0, num_pages - 1]) {
        const boxes = SmallBoxes.filter((text: { page: number }) => text.page === page);
        const lines = boxes.map((_box: unknown, line: number) => 36 + 38 * line);
        expect(boxes.map(({ box: [, top] }: { box: readonly number[] }) => top)).toEqual(lines);
      }
    }
    expect([...numbers].sort()).toEqual(['F0000777M', 'G0000888K', 'M0000999N', 'S0000001I', 'T0100456A']);
  });

  it('finds nothing in a file whose name contains blank', async () => {
    const { data } = (await scan(scanForm('card', 'blank page.png'))).body.scanDocuments;
    const { SmallBoxes, DocSize, num_pages, ...fields } = data;
    expect(Object.keys(fields)).toHaveLength(7);
    for (const { matches } of Object.values<any>(fields)) {
      expect(matches).toEqual([{ keyword: null, match: null, page: null, value: null }]);
    }
    expect(SmallBoxes).toEqual([]);
  });

  it.each([
    ['card', 'corrupt.pdf', 422],
    ['card', 'card.EXE', 415],
    ['', 'card.png', 400],
  ])('rejects the file %j named %s with %i', async (content, name, status) => {
    expect((await scan(scanForm(content, name))).status).toBe(status);
  });

  it('requires each part exactly once, and one of four values for handwritten', async () => {
    for (const part of ['files', 'qid', 'handwritten']) {
      const without = scanForm();
      without.delete(part);
      expect((await scan(without)).status).toBe(400);
      const twice = scanForm();
      twice.append(part, twice.get(part) as string);
      expect((await scan(twice)).status).toBe(400);
    }
    expect((await scan(scanForm('card', 'card.png', { handwritten: 'yes' }))).status).toBe(400);
    for (const handwritten of ['true', 'false', '[true]', '[false]']) {
      expect((await scan(scanForm('card', 'card.png', { handwritten }))).status).toBe(200);
    }
  });
});

describe('POST /v1/groups', () => {
  it('creates an empty group at the time of the sandbox clock', async () => {
    const first = (await post('/v1/groups', { name: 'Cards' })).body;
    sandbox.clock.advance(1_500);
    const second = (await post('/v1/groups', {})).body;
    const { id, uid } = first.createGroup;
    expect(uid).toBeGreaterThan(0);
    expect(first).toEqual({
      createGroup: { createdAt: startedAt, id, name: 'Cards', queueCount: 0, queues: [], uid },
    });
    expect(second.createGroup).toMatchObject({ createdAt: startedAt + 1_500, id: id + 1, name: null, uid });
  });

  it.each([
    ['not JSON', '{', 'application/json', 400],
    ['of a wrong member', { name: 1 }, 'application/json', 400],
    ['text', {}, 'text/plain', 415],
  ])('rejects a body that is %s', async (_what, body, type, status) => {
    expect((await post('/v1/groups', body, { ...alice, 'content-type': type })).status).toBe(status);
  });
});

describe('POST /v1/documents/export', () => {
  const rows = (response: ServiceResponse): string[][] => parse(response.body.exportDocumentByDocIds.data);

  it('returns a header row of 37 quoted columns, and leaves empty values unquoted', async () => {
    await scan(scanForm('card', 'blank.png'));
    const { data, message } = (await exported()).body.exportDocumentByDocIds;
    const [header, row] = data.split('\r\n');
    expect(message).toBe('Downloaded document successfully.');
    expect(header?.split(',')).toHaveLength(37);
    expect(header).toMatch(/^"Name","Engine Number",.*,"File Name",.*,"Other Date"$/);
    expect(row).toBe(`${','.repeat(15)}"blank.png"${','.repeat(21)}`);
  });

  it('returns one row per document, with its card and file name, quotes and line breaks included', async () => {
    for (let n = 0; n < 12; n++) await scan(scanForm(`file ${n}`, `scan ${n}, front.png`));
    const [header = [], ...documents] = rows(await exported());
    expect(documents).toHaveLength(12);
    const column = (name: string) => documents.map((row) => row[header.indexOf(name)]);
    expect(column('File Name')).toEqual(Array.from({ length: 12 }, (_, n) => `scan ${n}, front.png`));
    expect(column('Name')).toContain('BRANDT, KLARA "CLAIRE"');
    expect(column('Address')).toContain('9 NOWHERE LANE\nSINGAPORE 000004');
  });

  it('exports only the requested documents, each once', async () => {
    for (const name of ['a.png', 'b.png', 'c.png']) await scan(scanForm('card', name));
    const names = rows(await exported([5003, 5001, 5001])).map((row) => row[15]);
    expect(names).toEqual(['File Name', 'a.png', 'c.png']);
    expect(rows(await exported([]))).toHaveLength(1);
  });

  it('rejects the call if one document is unknown or is in a tab that cannot be exported', async () => {
    const { docId } = (await imported()).body;
    await scan();
    const statuses = statusesOf(
      ...[[docId + 1], [docId + 1, docId], [9999], ['5001']].map((ids) => () => exported(ids)),
    );
    expect(await statuses).toEqual([200, 400, 400, 400]);
  });

  it('never exports documents of another API key', async () => {
    const { docId } = (await scan()).body.scanDocuments;
    expect(rows(await exported(undefined, bob))).toHaveLength(1);
    expect((await exported([docId], bob)).status).toBe(400);
  });
});
