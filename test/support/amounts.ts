/** Random decimal amounts, and their exact sums in integer arithmetic. */
import { fc } from './fast-check.ts';

export interface Amount {
  /** The amount times ten to the power of `places`. */
  readonly digits: bigint;
  readonly places: number;
  readonly text: string;
}

/** Up to 30 digits with up to 8 decimal places, including `-0.00`. */
export const anyAmount: fc.Arbitrary<Amount> = fc
  .record({
    digits: fc.oneof(
      fc.bigInt({ min: -999n, max: 999n }),
      fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
    ),
    places: fc.nat({ max: 8 }),
    negativeZero: fc.boolean(),
  })
  .map(({ digits, places, negativeZero }) => {
    const text = inPlaces(digits, places);
    return { digits, places, text: digits === 0n && negativeZero ? `-${text}` : text };
  });

/** The sum of the amounts, with the maximum number of decimal places of the addends. */
export function exactSum(amounts: readonly Amount[]): string {
  const most = Math.max(0, ...amounts.map(({ places }) => places));
  return inPlaces(
    amounts.reduce((sum, { digits, places }) => sum + digits * 10n ** BigInt(most - places), 0n),
    most,
  );
}

function inPlaces(digits: bigint, places: number): string {
  const text = String(digits < 0n ? -digits : digits).padStart(places + 1, '0');
  const sign = digits < 0n ? '-' : '';
  return sign + (places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`);
}
