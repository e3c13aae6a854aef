/** `packages/client/src/retry-rule.ts`: when a client may send an operation again. */
import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import {
  CreateGroupDocument,
  ImportMalaysiaInvoicesDocument,
} from '../../packages/client/src/gql/graphql.ts';
import { type Attempt, leavesLostOpen, retryDelayMs } from '../../packages/client/src/retry-rule.ts';

describe('the retry rule', () => {
  const refused = { retryable: true, sideEffect: 'NONE' };
  const attempt = (members: Partial<Attempt>): Attempt => ({
    kind: 'mutation',
    document: CreateGroupDocument,
    variables: { input: {} },
    errors: [{ extensions: refused }],
    number: 1,
    sinceMs: 0,
    ...members,
  });

  it('allows an attempt whose data has only __typename, which codegen adds to the operation', () => {
    const data = { __typename: 'Mutation', createGroup: null };
    expect(retryDelayMs(attempt({ data }))).toBeGreaterThanOrEqual(0);
    expect(retryDelayMs(attempt({ data: { ...data, createGroup: { id: '1' } } }))).toBeUndefined();
  });

  it('waits for the longest of several delays', () => {
    const errors = [1_000, 5_000].map((retryAfterMs) => ({ extensions: { ...refused, retryAfterMs } }));
    expect(retryDelayMs(attempt({ errors }))).toBe(5_000);
  });

  it.each([
    ['may have been done', { errors: [{ extensions: { ...refused, sideEffect: 'POSSIBLE' } }] }],
    ['was done', { errors: [{ extensions: { ...refused, sideEffect: 'APPLIED' } }] }],
    ['did nothing but would fail again', { errors: [{ extensions: { ...refused, retryable: false } }] }],
    ['has no extensions', { errors: [{}] }],
    ['has two errors of which one is not retryable', { errors: [{ extensions: refused }, {}] }],
    ['did one of its writes', { data: { one: { id: 1 }, other: null } }],
    ['succeeded', { errors: [] }],
    ['was refused three times', { number: 3 }],
    ['got no response for 30 seconds', { kind: 'query', errors: undefined, sinceMs: 30_000 }],
    ['is a subscription', { kind: 'subscription' }],
    [
      'must wait longer than half a minute',
      { errors: [{ extensions: { ...refused, retryAfterMs: 30_001 } }] },
    ],
    [
      'got no response, and only some of its writes have keys',
      {
        errors: undefined,
        document: ImportMalaysiaInvoicesDocument,
        variables: { input: [{ idempotencyKey: 'one-of-two' }, {}] },
      },
    ],
    ['got no response, and has no input', { errors: undefined, variables: undefined }],
  ] satisfies [string, Partial<Attempt>][])('forbids an attempt that %s', (_title, members) => {
    expect(retryDelayMs(attempt(members))).toBeUndefined();
  });

  describe('after a lost connection', () => {
    it('allows a read and a write with a key for 30 seconds, at intervals of at most 5 seconds', () => {
      const keyed = { variables: { input: { idempotencyKey: 'order-4711' } } };
      for (const members of [{ kind: 'query' }, keyed])
        for (const number of [1, 5, 20])
          expect(
            retryDelayMs(attempt({ ...members, errors: undefined, number, sinceMs: 29_000 })),
          ).toBeLessThanOrEqual(5_000);
    });

    const key = 'order-4711';
    const lost = (source: string, variables?: object) =>
      retryDelayMs(attempt({ document: parse(`mutation ${source}`), variables, errors: undefined }));

    const create = '{ createGroup(input: { idempotencyKey: $key }) { __typename } }';
    const importAll =
      '($all: [ImportMalaysiaInvoiceInput!]!) { importMalaysiaInvoices(input: $all) { __typename } }';

    it.each<[string, string, object?]>([
      ['as a variable itself', `($key: String!) ${create}`, { key }],
      [
        'in an input of any name',
        '($order: CreateGroupInput!) { createGroup(input: $order) { __typename } }',
        { order: { idempotencyKey: key } },
      ],
      ['in the document', `{ createGroup(input: { name: "Kad", idempotencyKey: "${key}" }) { __typename } }`],
      ['in the default of a variable', `($key: String = "${key}") ${create}`, {}],
      ['in each of a list', importAll, { all: [{ idempotencyKey: key }, { idempotencyKey: 'order-4712' }] }],
      [
        'in each of several variables in a list',
        '($a: ImportMalaysiaInvoiceInput!, $key: String) { importMalaysiaInvoices(input: [$a, { queueId: "7", idempotencyKey: $key }]) { __typename } }',
        { a: { idempotencyKey: key }, key: 'order-4712' },
      ],
      [
        'in each of its writes',
        `{ one: createGroup(input: { idempotencyKey: "${key}" }) { __typename } two: createGroup(input: { idempotencyKey: "order-4712" }) { __typename } }`,
      ],
      [
        'in a fragment',
        `{ __typename ...Write } fragment Write on Mutation { ... { createGroup(input: { idempotencyKey: "${key}" }) { __typename } } }`,
      ],
    ])('allows a mutation with its key %s', (_title, rest, variables) => {
      expect(lost(rest, variables)).toBeGreaterThanOrEqual(0);
    });

    it.each<[string, string, object?]>([
      ['has no input', '{ createGroup(input: {}) { __typename } }'],
      [
        'has a variable named key that it passes elsewhere',
        '($key: String!) { createGroup(input: { name: $key }) { __typename } }',
        { key },
      ],
      [
        'has a key that the document does not use',
        '($name: String) { createGroup(input: { name: $name }) { __typename } }',
        { name: 'x', input: { idempotencyKey: key } },
      ],
      ['has null as its key', `($key: String) ${create}`, { key: null }],
      ['has null as its key in spite of a default', `($key: String = "${key}") ${create}`, { key: null }],
      ['has a key variable without a value', `($key: String) ${create}`, {}],
      [
        'has a member of that name in the invoice',
        '($input: ImportMalaysiaInvoiceInput!) { importMalaysiaInvoice(input: $input) { __typename } }',
        { input: { invoice: { extra: { idempotencyKey: key } } } },
      ],
      [
        'has a list with a member without',
        importAll,
        { all: [{ idempotencyKey: key }, { idempotencyKey: null }] },
      ],
      ['has an empty list', importAll, { all: [] }],
      [
        'has a second write without a key',
        `{ one: createGroup(input: { idempotencyKey: "${key}" }) { __typename } two: createGroup(input: {}) { __typename } }`,
      ],
      ['has a write that takes no key', '{ exportDocuments(input: { documentIds: ["1"] }) { __typename } }'],
      [
        'has a write without a key in a fragment',
        `{ createGroup(input: { idempotencyKey: "${key}" }) { __typename } ...Write } fragment Write on Mutation { exportDocuments(input: {}) { __typename } }`,
      ],
    ])('forbids a mutation that %s', (_title, rest, variables) => {
      expect(lost(rest, variables)).toBeUndefined();
    });

    it.each([
      ['for now', refused],
      // Another gateway, which the manifest has not reached, or a session that has ended meanwhile.
      ['by a gateway that does not know its hash', { code: 'PERSISTED_QUERY_NOT_FOUND', sideEffect: 'NONE' }],
      ['since its credentials are missing', { code: 'UNAUTHENTICATED', sideEffect: 'NONE' }],
    ])(
      'what became of the lost attempt is open when the repetition is refused before a call %s',
      (_title, extensions) => {
        expect(leavesLostOpen(attempt({ data: { createGroup: null }, errors: [{ extensions }] }))).toBe(true);
      },
    );

    it.each<[string, Partial<Attempt>]>([
      ['the service refused the repetition', { errors: [{ extensions: { ...refused, upstream: {} } }] }],
      ['the repetition may have been done', { errors: [{ extensions: { sideEffect: 'POSSIBLE' } }] }],
      [
        'the key belongs to another input',
        { errors: [{ extensions: { code: 'IDEMPOTENCY_CONFLICT', sideEffect: 'NONE' } }] },
      ],
      ['the repetition did one of its writes', { data: { createGroup: { id: '1' } } }],
      ['the repetition succeeded', { errors: [] }],
      ['the repetition was lost too', { errors: undefined }],
      ['it was a read', { kind: 'query' }],
    ])('the last response counts when %s', (_title, members) => {
      expect(leavesLostOpen(attempt(members))).toBe(false);
    });
  });
});
