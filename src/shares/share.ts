/** How what is scarce is divided between callers: the three parts of a bound. Its size is in `bound-sizes.ts`. */
import type { SharedBound } from '../bound-names.ts';
import type { Caller } from '../caller.ts';

/** The caller for whom something is held. Limits go by owner, and whether a caller is a newcomer by lane. */
export type Holder = Pick<Caller, 'owner' | 'lane'>;

/** Callers whose credentials are malformed or not known yet count as one newcomer. */
export const nobody = { lane: '', owner: '' } as Holder;

declare const shareBrand: unique symbol;

/** A bound with its three parts. Only `shareOf` creates shares, so that a bound without a sum does not compile. */
export interface Share {
  readonly bound: SharedBound;
  /** Most for all callers together. */
  readonly all: number;
  /** Most for all newcomers together: anyone can invent credentials, and callers who do so cannot use more. Default: half. */
  readonly newcomers: number;
  /** Most for one owner. Default: a quarter. */
  readonly owner: number;
  /**
   * Whether one owner may also hold at most as much as is left for the others. For what is kept for hours: the owner who
   * holds most is refused first. Default: no.
   */
  readonly leavesRoom: boolean;
  readonly [shareBrand]: true;
}

type Parts = Partial<Pick<Share, 'newcomers' | 'owner' | 'leavesRoom'>>;

/**
 * Part for one owner, where all users of an application share its API key and so count as one owner. Used where others can
 * displace what the owner holds, or where newcomers have a half of their own.
 */
export const applicationPart = 3 / 4;

/** Each part is at least 1. */
export function shareOf(bound: SharedBound, all: number, parts: Parts = {}): Share {
  const { newcomers = all / 2, owner = all / 4, leavesRoom = false } = parts;
  const [most, ofNewcomers, ofOwner] = [all, newcomers, owner].map((part) => Math.max(1, Math.floor(part)));
  return { bound, all: most, newcomers: ofNewcomers, owner: ofOwner, leavesRoom } as Share;
}

/** The share of a bound of which all users of an application may have `applicationPart`. */
export function applicationShareOf(bound: SharedBound, all: number, parts: Parts = {}): Share {
  return shareOf(bound, all, { owner: all * applicationPart, ...parts });
}
