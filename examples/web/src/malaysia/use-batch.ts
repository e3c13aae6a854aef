import type { CombinedError } from '@urql/core';
import { useState } from 'react';
import { type Failure, failureFrom, failureOf } from '../gateway/failure.ts';
import { ImportMalaysiaInvoicesDocument, type ImportMalaysiaInvoicesMutation } from '../graphql/graphql.ts';
import { locale, t } from '../language/language.ts';
import type { Problem } from '../shared/problem.ts';
import { useWrite } from '../shared/use-write.ts';
import { type Batch, type BatchRow, importOf } from './batch-rows.ts';
import type { Tracked } from './tracked.ts';
import { words } from './words.ts';

/** The outcome of a row. */
export type RowOutcome =
  | { readonly kind: 'imported'; readonly documentId: string; readonly warnings: readonly Problem[] }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** Rows in one operation. The gateway accepts 100; smaller chunks show their outcomes earlier. */
const chunkSize = 25;

export function useBatch(batch: Batch, queueId: string, onImported: (documents: readonly Tracked[]) => void) {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, RowOutcome>>(new Map());
  const [isImporting, setImporting] = useState(false);
  const [, mutate] = useWrite(ImportMalaysiaInvoicesDocument);
  const sendable = batch.rows.filter(({ problems }) => problems.length === 0);

  /** May be called again: every row keeps its idempotency key. */
  async function importAll() {
    setImporting(true);
    for (let start = 0; start < sendable.length; start += chunkSize) {
      const chunk = sendable.slice(start, start + chunkSize);
      const { data, error } = await mutate({
        input: chunk.map((row) => importOf(row, queueId)),
        locale: locale(),
      });
      const settled = chunk.map((row, index) => [row, outcomeAt(index, data, error)] as const);
      setOutcomes(
        (before) =>
          new Map([...before, ...settled.map(([{ number }, outcome]) => [number, outcome] as const)]),
      );
      onImported(settled.flatMap(([row, outcome]) => trackedOf(row, outcome)));
    }
    setImporting(false);
  }

  return { outcomes, isImporting, sendableCount: sendable.length, importAll: () => void importAll() };
}

function trackedOf({ draft }: BatchRow, outcome: RowOutcome): Tracked[] {
  return outcome.kind === 'imported' ? [{ documentId: outcome.documentId, docNumber: draft.docNumber }] : [];
}

/** A row has its own result in the list, or its own error, or shares the error of the whole operation. */
function outcomeAt(
  index: number,
  data: ImportMalaysiaInvoicesMutation | undefined,
  error: CombinedError | undefined,
): RowOutcome {
  const member = data?.importMalaysiaInvoices?.[index];
  if (member?.__typename === 'MalaysiaImport')
    return { kind: 'imported', documentId: member.documentId, warnings: member.warnings };
  if (member?.__typename === 'InvalidInput') return { kind: 'refused', problems: member.problems };
  const own = error?.graphQLErrors.find(({ path }) => path?.[1] === index);
  if (own) return { kind: 'failed', failure: failureFrom(own.message, own.extensions) };
  return {
    kind: 'failed',
    failure: error ? failureOf(error) : failureFrom(t(words.noResult), {}),
  };
}
