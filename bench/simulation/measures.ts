/** The value below which a share of the sorted values lies; NaN without values. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Jain's index: 1 if all values are equal, 1/n if all but one of n are 0. */
export function jain(values: readonly number[]): number {
  let sum = 0;
  let squares = 0;
  for (const value of values) {
    sum += value;
    squares += value * value;
  }
  return squares === 0 ? 1 : sum ** 2 / (values.length * squares);
}

/** Divides a total so that everyone gets the same or what they need, whichever is less (max-min fairness). */
export function fairShares(needs: readonly number[], total: number): number[] {
  const shares = needs.map(() => 0);
  const order = needs.map((_, index) => index).sort((a, b) => (needs[a] as number) - (needs[b] as number));
  let left = total;
  order.forEach((index, rank) => {
    const share = Math.min(needs[index] as number, left / (order.length - rank));
    shares[index] = share;
    left -= share;
  });
  return shares;
}
