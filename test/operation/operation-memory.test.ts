/** What operations hold while they run is bounded for the process and for each caller. */
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../src/caller.ts';
import { createDocumentsInUse, createOperationMemory } from '../../src/operation/operation-memory.ts';
import { resultLimit } from '../../src/operation/result-limit.ts';
import type { PreparedOperation } from '../../src/operation/valid-document.ts';
import { shareOf } from '../../src/shares/bound-sizes.ts';
import { LaneBudget } from '../../src/shares/lane-budget.ts';
import { noSpan } from '../../src/telemetry/tracing.ts';
import { aShares, holder, sharesWith } from '../support/shares.ts';

const aDocument = (name: string, bytes = 100, isPersisted = false) =>
  ({ hash: name, bytes, persisted: isPersisted ? {} : undefined }) as PreparedOperation;

/** A budget of 1,000 bytes: 250 for a caller, 500 for all newcomers. */
function aBudget(...accepted: string[]) {
  const shares = aShares(...accepted.map((name) => holder(name)));
  const budget = new LaneBudget(shareOf('documents', 1_000), shares);
  const documents = createDocumentsInUse(budget);
  const hold = (name: string, operation: PreparedOperation) => documents.hold(holder(name), operation);
  return { hold, shares, find: documents.find, bytes: () => budget.held };
}

const refused = (bound: string, httpStatus?: number) =>
  expect.objectContaining({ code: 'RATE_LIMITED', bound, ...(httpStatus && { httpStatus }) });

describe('the budget for documents in use', () => {
  it('counts a document once, for the caller who has held it longest, until the last operation ends', () => {
    const { hold, bytes, find } = aBudget();
    const document = aDocument('1', 250);
    const release = [hold('a', document), hold('a', document), hold('b', document)];
    expect(bytes()).toBe(250);
    expect(find('1')).toMatchObject({ hash: '1', bytes: 250 });
    release[0]?.();
    expect(() => hold('a', aDocument('2')), 'its second operation holds it still').toThrow();
    release[1]?.();
    expect(() => hold('a', aDocument('2'))).not.toThrow();
    expect(bytes(), 'the document counts for the other caller').toBe(350);
    expect(() => hold('b', aDocument('3'))).toThrow();
    release[2]?.();
    expect(find('1')).toBeUndefined();
    expect(bytes()).toBe(100);
  });

  it('refuses an owner who holds much what others hold, which would count for them when those leave', () => {
    const { hold, bytes } = aBudget('a', 'b', 'c');
    for (const name of ['1', '2']) {
      const release = hold('a', aDocument(name, 150));
      if (name === '1') hold('b', aDocument(name, 150));
      else expect(() => hold('b', aDocument(name, 150))).toThrow(refused('documents-owner', 503));
      expect(() => hold('b', aDocument('1', 150)), 'they hold it already').not.toThrow();
      expect(() => hold('c', aDocument(name, 150)), 'a caller who holds nothing').not.toThrow();
      release();
    }
    expect(bytes()).toBe(300);
  });

  it('reserves half of the budget for accepted callers', () => {
    const { hold } = aBudget('known');
    for (const name of ['a', 'b', 'c', 'd', 'e']) hold(name, aDocument(name, 80));
    expect(() => hold('f', aDocument('f', 80))).toThrow(/different documents/);
    expect(() => hold('known', aDocument('new', 250))).not.toThrow();
    expect(() => hold('f', aDocument('new', 250)), 'a document in use costs nothing').not.toThrow();
  });

  it('does not count a document that callers cannot choose', () => {
    const { hold, bytes, find } = aBudget();
    hold('a', aDocument('1', 5_000, true));
    expect(bytes()).toBe(0);
    expect(find('1')?.bytes).toBe(5_000);
  });

  it('is empty after everything was released, in any order', () => {
    const { hold, bytes, shares } = aBudget();
    const releases = ['a', 'b', 'c', 'd'].map((name) => hold(name, aDocument('1')));
    shares.acceptedLanes.accept(holder('c'));
    releases.push(hold('c', aDocument('2')), hold('e', aDocument('2')));
    for (const release of releases.toReversed()) release();
    expect(bytes()).toBe(0);
    for (const name of ['w', 'x', 'y', 'z']) expect(() => hold(name, aDocument(name))).not.toThrow();
  });
});

/** Budgets of so many bytes each for one caller. */
function memoryOf(bytes: number) {
  const all = 4 * bytes;
  const budgets = ['documents', 'variables', 'subscriptions'] as const;
  const of = Object.fromEntries(budgets.map((bound) => [bound, shareOf(bound, all)]));
  return createOperationMemory(sharesWith(of));
}

type OperationMemory = ReturnType<typeof createOperationMemory>;

let documents = 0;

/** An operation in progress, and what ends it. */
function inProgress(caller: Pick<Caller, 'lane' | 'owner' | 'span'> = holder('a')) {
  const releases: (() => void)[] = [];
  const onEnd = (release: () => void) => void releases.push(release);
  const end = () => {
    for (const release of releases) release();
  };
  return { caller, onEnd, end };
}

/** An operation with a document of its own. */
function operation(sizes: {
  bytes?: number;
  variableBytes?: number;
  literalBytes?: number;
}): PreparedOperation {
  documents += 1;
  return { bytes: 1, variableBytes: 0, literalBytes: 0, ...sizes, hash: `${documents}` } as PreparedOperation;
}

describe('an operation in progress', () => {
  it.each([
    ['variables', 'variableBytes', 1_024],
    ['variables', 'literalBytes', 1_024],
    ['documents', 'bytes', 20 * 1_024],
  ])('holds its %s when their %s are more than %i', (bound, size, most) => {
    const memory = memoryOf(most + 1);
    for (let count = 0; count < 10; count += 1) memory.hold(operation({ [size]: most }), inProgress());
    const [first, second] = [inProgress(), inProgress()];
    memory.hold(operation({ [size]: most + 1 }), first);
    expect(() => memory.hold(operation({ [size]: most + 1 }), second)).toThrow(
      refused(`${bound}-owner`, 503),
    );
    first.end();
    expect(() => memory.hold(operation({ [size]: most + 1 }), second)).not.toThrow();
  });
});

it.each<
  [what: string, hold: (memory: OperationMemory, ...held: Parameters<OperationMemory['hold']>) => void]
>([
  ['a query', (memory, ...held) => memory.hold(...held)],
  ['a subscription', (memory, ...held) => memory.holdSubscription(...held, '', 0)],
])('the document of %s is found by its hash until it ends', (_what, hold) => {
  const memory = memoryOf(30_000);
  const held = operation({ bytes: 22_000 });
  const one = inProgress();
  hold(memory, held, one);
  expect(memory.find(held.hash)).toMatchObject({ bytes: 22_000 });
  one.end();
  expect(memory.find(held.hash)).toBeUndefined();
});

it('one result with a long text is held at a time, also when a small one is released meanwhile', () => {
  const memory = memoryOf(64 * 1_024 * 1_024);
  const [one, small, other] = [inProgress(), inProgress(), inProgress()];
  const [holdOne, holdSmall, holdOther] = [one, small, other].map((each) => memory.resultHolder(each));
  const long = resultLimit.maxBytes + 1;
  expect([holdOne?.(long), holdSmall?.(1)]).toEqual([undefined, undefined]);
  small.end();
  expect(holdOther?.(long)).toEqual(refused('variables', 503));
  one.end();
  expect(holdOther?.(long)).toBeUndefined();
});

it('a subscription holds 4.25 KiB, and 1.25 KiB more when it is traced, its document, twice its variables, and 256 bytes for each document that it watches', () => {
  const memory = memoryOf(10_000);
  const traced = { ...holder('a'), span: { ...noSpan, traceId: 'traced' } };
  const subscribe = (bytes: number, caller: typeof traced | undefined, variables: number, calls = 6) => {
    const one = inProgress(caller);
    try {
      memory.holdSubscription(operation({ bytes }), one, 'x'.repeat(variables), calls);
    } catch (error) {
      one.end();
      throw error;
    }
    return one.end;
  };
  subscribe(2_112, traced, 360)();
  const end = subscribe(2_112, undefined, 1_000);
  expect(() => subscribe(1, undefined, 0, 0)).toThrow(refused('subscriptions-owner'));
  end();
  expect(() => subscribe(2_113, undefined, 1_000)).toThrow(refused('subscriptions-owner'));
  expect(() => subscribe(2_113, traced, 360)).toThrow(refused('subscriptions-owner'));
});
