/** What operations hold while they run: documents and variables from a size on, and what subscriptions need. */
import { describe, expect, it } from 'vitest';
import type { PreparedOperation } from '../../src/operation/documents-and-plans.ts';
import { createOperationMemory } from '../../src/operation/documents-and-variables.ts';
import { shareOf } from '../../src/shares/share.ts';
import { holder, sharesWith } from '../support/shares.ts';

/** Budgets of so many bytes each for one caller. */
function memoryOf(bytes: number) {
  const all = 4 * bytes;
  const budgets = ['documents', 'variables', 'subscriptions'] as const;
  const of = Object.fromEntries(budgets.map((bound) => [bound, shareOf(bound, all)]));
  return createOperationMemory(sharesWith(of));
}

const caller = holder('a');
let documents = 0;

/** An operation with a document of its own. */
function operation(sizes: { bytes?: number; variableBytes?: number }): PreparedOperation {
  documents += 1;
  return { bytes: 1, variableBytes: 0, ...sizes, hash: `${documents}` } as PreparedOperation;
}

const refused = (bound: string, httpStatus?: number) =>
  expect.objectContaining({ code: 'RATE_LIMITED', bound, ...(httpStatus && { httpStatus }) });

describe('an operation in progress', () => {
  it.each([
    ['variables', 'variableBytes', 1_024],
    ['documents', 'bytes', 20 * 1_024],
  ])('holds its %s when their %s are more than %i', (bound, size, most) => {
    const memory = memoryOf(most + 1);
    for (let count = 0; count < 10; count += 1) memory.hold(operation({ [size]: most }), caller);
    const release = memory.hold(operation({ [size]: most + 1 }), caller);
    expect(() => memory.hold(operation({ [size]: most + 1 }), caller)).toThrow(
      refused(`${bound}-owner`, 503),
    );
    release();
    expect(() => memory.hold(operation({ [size]: most + 1 }), caller)).not.toThrow();
  });

  it('releases its variables when there is no room for its document', () => {
    const memory = memoryOf(30_000);
    const [first, second] = [1, 2].map(() => operation({ bytes: 30_000, variableBytes: 30_000 }));
    memory.hold(operation({ bytes: 30_000 }), caller);
    expect(() => memory.hold(first as PreparedOperation, caller)).toThrow(refused('documents-owner', 503));
    expect(() => memory.hold(second as PreparedOperation, caller)).toThrow(refused('documents-owner', 503));
  });
});

it('a subscription holds its document, twice its variables, and 512 bytes for each document that it watches', () => {
  const memory = memoryOf(10_000);
  const release = memory.holdSubscription(operation({ bytes: 4_928 }), caller, 'x'.repeat(1_000), 6);
  expect(() => memory.holdSubscription(operation({}), caller, '', 0)).toThrow(refused('subscriptions-owner'));
  release();
  expect(() => memory.holdSubscription(operation({ bytes: 4_929 }), caller, 'x'.repeat(1_000), 6)).toThrow(
    refused('subscriptions-owner'),
  );
});
