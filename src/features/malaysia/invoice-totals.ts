/** The sums of an invoice's lines and taxes. */
import { ExactNumber, type JsonObject, type JsonValue } from '../../tools/exact-number.ts';
import { member, numberOf } from './json-search.ts';

export type ComputedTotals = ReturnType<typeof computeTotals>;

/** Exact sums of what is sent. Each has the maximum number of decimal places of its addends; a value that is not a number counts as 0. */
export function computeTotals(wire: JsonObject) {
  const lines = itemsOf(wire['lines']);
  const amounts = lines.flatMap((line) => numberOf(member(line, 'amountExclTax')) ?? []);
  const taxes = lines
    .flatMap((line) => itemsOf(member(line, 'taxes')))
    .flatMap((tax) => numberOf(member(tax, 'amount')) ?? []);
  const [amountExclTax, taxAmount] = [ExactNumber.sum(amounts), ExactNumber.sum(taxes)];
  return { amountExclTax, taxAmount, amountInclTax: ExactNumber.sum([amountExclTax, taxAmount]) };
}

function itemsOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}
