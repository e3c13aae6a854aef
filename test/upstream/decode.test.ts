/** How the members of a response are read: which types and words are understood, and what is reported as drift. */
import { describe, expect, it } from 'vitest';
import type { Drift } from '../../src/telemetry/drift.ts';
import { WireObject } from '../../src/upstream/decode.ts';

const drifts: string[] = [];
const report = (drift: Drift) => void drifts.push(`${drift.kind} ${'member' in drift ? drift.member : ''}`);

function wire(members: object): WireObject {
  drifts.length = 0;
  return new WireObject(members as WireObject['members'], 'top', report);
}

describe('a member', () => {
  it.each<['string' | 'id' | 'integer' | 'dateTime', unknown, unknown]>([
    ['string', 'a', 'a'],
    ['string', '', ''],
    ['string', 7, null],
    ['id', 'a', 'a'],
    ['id', '', null],
    ['id', ' \n', null],
    ['id', ' a', ' a'],
    ['id', 0, '0'],
    ['id', 2 ** 53 - 1, '9007199254740991'],
    ['id', 2 ** 53, null],
    ['id', 1.5, null],
    ['integer', 2 ** 31 - 1, 2 ** 31 - 1],
    ['integer', -(2 ** 31), -(2 ** 31)],
    ['integer', 2 ** 31, null],
    ['integer', 1.5, null],
    ['integer', '1', null],
    ['dateTime', 0, '1970-01-01T00:00:00.000Z'],
    ['dateTime', Date.parse('0000-01-01'), '0000-01-01T00:00:00.000Z'],
    ['dateTime', Date.parse('0000-01-01') - 1, null],
    ['dateTime', Date.parse('9999-12-31T23:59:59.999Z'), '9999-12-31T23:59:59.999Z'],
    ['dateTime', Date.parse('9999-12-31T23:59:59.999Z') + 1, null],
    ['dateTime', '2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['dateTime', '2024-02-29T00:00:00.'.padEnd(64, '1'), '2024-02-29T00:00:00.111Z'],
    ['dateTime', '2024-02-29T00:00:00.'.padEnd(65, '1'), null],
    ['dateTime', '2026-02-29', null],
    ['dateTime', '2100-02-29', null],
    ['dateTime', '2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['dateTime', '2026-01-00', null],
    ['dateTime', '2026-13-01', null],
    ['dateTime', '20260131T1230', '2026-01-31T12:30:00.000Z'],
    ['dateTime', '2026-01-31T12', '2026-01-31T12:00:00.000Z'],
    ['dateTime', '2026-01-31 12:30:15,25+05:30', '2026-01-31T07:00:15.250Z'],
    ['dateTime', '2026-01-31T12:30-08', '2026-01-31T20:30:00.000Z'],
    ['dateTime', '2026-01-31T23:59:60', '2026-02-01T00:00:00.000Z'],
    ['dateTime', '2026-01-31T24:30', null],
    ['dateTime', '2026-01-31T24.5', null],
    ['dateTime', '2026-01-31T24:00:00.5Z', null],
    ['dateTime', '0000-01-01T00:00+01:00', null],
    ['dateTime', '202601-31', null],
    ['dateTime', '20260131T123015Z', '2026-01-31T12:30:15.000Z'],
    ['dateTime', '20260131T1230-0600', '2026-01-31T18:30:00.000Z'],
    ['dateTime', '2026-01-31T12:30:15.1234567', '2026-01-31T12:30:15.123Z'],
    ['dateTime', '2026-01-31T12:30,5Z', '2026-01-31T12:30:30.000Z'],
    ['dateTime', '20260131T12.25', '2026-01-31T12:15:00.000Z'],
    ['dateTime', '2026-01-31T12:30\u221208:00', '2026-01-31T20:30:00.000Z'],
    ['dateTime', '2026-031T12:30Z', '2026-01-31T12:30:00.000Z'],
    ['dateTime', '2024366', '2024-12-31T00:00:00.000Z'],
    ['dateTime', '2026-366', null],
    ['dateTime', '2026-000', null],
    ['dateTime', '2026-W05-6T12:30Z', '2026-01-31T12:30:00.000Z'],
    ['dateTime', '2021W017', '2021-01-10T00:00:00.000Z'],
    ['dateTime', '2025-W01-1', '2024-12-30T00:00:00.000Z'],
    ['dateTime', '2020-W53-7', '2021-01-03T00:00:00.000Z'],
    ['dateTime', '2021-W53-1', null],
    ['dateTime', '2026-W00-1', null],
    ['dateTime', '2026-W05-8', null],
    ['dateTime', '2026-W056', null],
    ['dateTime', '2026-01', null],
    ['dateTime', '2026-01-31T25:00:00Z', null],
    ['dateTime', '2026-01-31T10:60:00Z', null],
    ['dateTime', '2026-01-31T10:00:00+99:00', null],
    ['dateTime', '2026-01-31T10:00:00Zulu', null],
    ['dateTime', '2026-0411', null],
    ['dateTime', '11/02/2026', null],
    ['dateTime', '1767225600000', null],
    ['dateTime', 'yesterday', null],
    ['dateTime', true, null],
  ])('is read as %s: %j as %j', (type, value, read) => {
    expect(wire({ a: value })[type]('a')).toBe(read);
    expect(drifts).toEqual(read === null ? ['mistyped-member top.a'] : []);
  });

  it.each(['string', 'id', 'integer', 'dateTime', 'object'] as const)('is null or absent as %s', (type) => {
    const top = wire({ a: null });
    expect([top[type]('a'), top[type]('b'), top[type]('constructor')]).toEqual([null, null, null]);
    expect(drifts).toEqual([]);
  });

  it('is an object or a list of objects, whose members have their path', () => {
    const top = wire({ one: { a: 1 }, list: [{ a: 1 }, 7, { a: 2 }], text: 'a' });
    expect(top.object('one')?.string('a')).toBeNull();
    expect(top.objects('list').map((item) => item.integer('a'))).toEqual([1, 2]);
    expect([top.object('list'), top.list('one'), top.list('none')]).toEqual([null, [], []]);
    expect(drifts).toEqual([
      ...['mistyped-member top.one.a', 'mistyped-member top.list'],
      ...['mistyped-member top.list', 'mistyped-member top.one'],
    ]);
  });

  it('has at most 200 characters of its name in its path', () => {
    const name = 'n'.repeat(201);
    wire({ [name]: 1 }).string(name);
    expect(drifts).toEqual([`mistyped-member top.${'n'.repeat(199)}…`]);
    wire({ [name.slice(1)]: 1 }).string(name.slice(1));
    expect(drifts).toEqual([`mistyped-member top.${'n'.repeat(200)}`]);
  });

  it('that was not read is unknown, and one that was read and is absent is missing unless it is optional', () => {
    const top = wire({ a: 1, b: null, c: 1 });
    for (const name of ['a', 'b', 'd', 'e']) top.raw(name);
    top.finish(null, { optional: ['e'] });
    expect(drifts).toEqual(['missing-member top.d', 'unknown-member top.c']);
    const other = wire({ a: 1 });
    other.raw('b');
    other.finish(null, { optional: 'all' });
    expect(drifts).toEqual(['unknown-member top.a']);
  });
});
