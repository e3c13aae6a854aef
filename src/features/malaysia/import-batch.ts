/** Runs the imports of a batch at the same time, but a note after the original of the same batch that it refers to. */
import { InvalidInputError, sideEffectOf } from '../../errors.ts';
import { ExactNumber, type JsonValue } from '../../tools/exact-number.ts';
import { docTypeOf, isNote, type MalaysiaInvoice, toWire } from './invoice.ts';
import { invoiceProblem } from './invoice-rule-table.ts';
import { member } from './json-search.ts';

/** Returns the error of a note that must not be sent, once the outcome of its original is known. */
export type CheckOriginal = () => Promise<Error | undefined>;

/** The outcomes in the order of the requests. `run` gets `checkOriginal` for a note whose original is in the batch. */
export function runBatch<Request extends { readonly invoice: MalaysiaInvoice }, Outcome>(
  requests: readonly Request[],
  run: (request: Request, checkOriginal?: CheckOriginal) => Promise<Outcome>,
): Promise<PromiseSettledResult<Outcome>[]> {
  const identities = requests.map(({ invoice }) => identityOf(invoice));
  const withNumber = Map.groupBy(identities.keys(), (index) => identities[index]?.docNumber);
  const notesTo = Map.groupBy(identities.keys(), (index) => identities[index]?.originalNumber);
  notesTo.delete(undefined);

  function originalsOf(index: number): number[] {
    const number = identities[index]?.originalNumber;
    return number === undefined ? [] : (withNumber.get(number) ?? []).filter((other) => other !== index);
  }

  /** The notes that refer to a request, directly or through their originals. */
  function notesAbout(index: number): ReadonlySet<number> {
    const notes = new Set<number>();
    // A Set is read with what is added meanwhile.
    const numbers = new Set([identities[index]?.docNumber]);
    for (const number of numbers) {
      for (const note of notesTo.get(number) ?? []) {
        notes.add(note);
        numbers.add(identities[note]?.docNumber);
      }
    }
    return notes;
  }

  const outcomes = new Map<number, Promise<Outcome>>();
  const start = (index: number): Promise<Outcome> =>
    outcomes.getOrInsertComputed(index, () => {
      // Notes that refer to each other do not wait.
      const notes = notesAbout(index);
      const awaited = originalsOf(index).filter((original) => !notes.has(original));
      const checkOriginal = awaited.length > 0 ? () => errorAfter(awaited.map(start)) : undefined;
      return run(requests[index] as Request, checkOriginal);
    });
  return Promise.allSettled(requests.map((_request, index) => start(index)));
}

/** The number of a document, and that of its original if it is a note. */
function identityOf(invoice: MalaysiaInvoice) {
  const { docType, docNumber, reference } = toWire({ ...invoice, lines: [] });
  const original = isNote(docTypeOf(docType)) ? member(reference, 'originalInvoiceCodeNumber') : undefined;
  return { docNumber: textOf(docNumber), originalNumber: textOf(original) };
}

function textOf(value: JsonValue | undefined): string | undefined {
  if (value instanceof ExactNumber) return value.text;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/**
 * An original whose outcome is unknown does not hold its note back. Where the original may be imported when it is sent again, the
 * note fails with the same error, so that both are.
 */
async function errorAfter(originals: readonly Promise<unknown>[]): Promise<Error | undefined> {
  const outcomes = await Promise.allSettled(originals);
  const errors = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : undefined));
  if (!errors.every((error) => sideEffectOf(error) === 'NONE')) return undefined;
  const path = ['invoice', 'reference', 'originalInvoiceCodeNumber'];
  return (
    errors.find(({ retryable, code }) => retryable || code === 'UNAUTHENTICATED') ??
    new InvalidInputError('The note was not sent.', [invoiceProblem('not-sent-original-missing', path)])
  );
}
