/** A bound that refuses: on the bytes, or on the number of items, that the gateway holds for callers. */
import { type Bound, type Part, partOf, sharedBounds } from '../bound-names.ts';
import type { Holder, Lane, Owner } from '../caller.ts';
import { type GatewayError, tryAgainLater } from '../errors.ts';
import type { Share } from './bound-sizes.ts';
import type { Fill, Shares } from './shares.ts';

/** What one lane holds. All of it counts as a newcomer's until the lane is accepted. */
interface Account {
  held: number;
  isNewcomer: boolean;
}

/**
 * An owner who holds nothing can get one piece that is more than an owner may have, so that a large input is not refused
 * forever. The last eighth, also of the part for newcomers, is kept for owners who hold little with what they ask for, so that
 * a few others cannot use up everything. When a lane is accepted, everything that it holds moves out of the part for newcomers.
 */
export class LaneBudget {
  readonly share: Share;
  protected readonly shares: Shares;
  /** The end of the bound, and of the part for newcomers, that is kept for owners who hold little (as a part of each). */
  protected readonly kept: number;
  readonly #lanes = new Map<Lane, Account>();
  readonly #owners = new Map<Owner, number>();
  #all = 0;
  #newcomers = 0;

  constructor(share: Share, shares: Shares) {
    this.share = share;
    this.shares = shares;
    this.kept = share.leavesRoom ? 0 : 1 / 8;
    shares.acceptedLanes.onAccept(({ lane }) => {
      const account = this.#lanes.get(lane);
      if (!account?.isNewcomer) return;
      account.isNewcomer = false;
      this.#newcomers -= account.held;
    });
    shares.report(share, () => this.fill());
  }

  get held(): number {
    return this.#all;
  }

  /** How much of each part is held. */
  fill(): Fill {
    const owner = this.#owners.values().reduce((most, held) => Math.max(most, held), 0);
    return { all: this.#all, newcomers: this.#newcomers, owner };
  }

  /** The largest piece that there is room for while nothing else is held. */
  get largest(): number {
    return this.#roomIn(this.share.all, 0, 0);
  }

  get heldByNewcomers(): number {
    return this.#newcomers;
  }

  /** Returns a function that releases, once. Throws RATE_LIMITED when a part of the bound is reached. `effect`: the end of its message. */
  hold(holder: Holder, amount: number, httpStatus?: 503, effect?: string): () => void {
    const reached = this.reached(holder, amount);
    if (reached) throw refusedBy(reached, httpStatus, effect);
    return this.holdAnyway(holder, amount);
  }

  /** What the caller can hold in addition, in pieces, of each part of the bound. */
  rooms({ lane, owner }: Holder): Readonly<Record<Part, number>> {
    const { all, newcomers, owner: ofOwner, leavesRoom } = this.share;
    const own = this.heldBy(owner);
    const isNewcomer = this.isNewcomer(lane);
    // One client can be as many newcomers as there is room for: they cannot have the last half of what is kept of all.
    const outOfReach = isNewcomer ? Math.floor((all * this.kept) / 2) : 0;
    const inAll = this.#roomIn(all, this.#all, own, outOfReach);
    const inNewcomers = isNewcomer ? this.#roomIn(newcomers, this.#newcomers, own) : Number.POSITIVE_INFINITY;
    const most = leavesRoom ? Math.min(ofOwner, inAll, inNewcomers) : ofOwner;
    return { all: inAll, newcomers: inNewcomers, owner: most - own };
  }

  /**
   * What an owner who holds `own` can hold in addition, in pieces, of a part of which `held` is in use. `outOfReach`: the end
   * of what is kept that the owner cannot have.
   */
  #roomIn(part: number, held: number, own: number, outOfReach = 0): number {
    const left = part - held;
    // An eighth of what others leave of what is kept: however many owners want all that they can have, another one has room.
    const little = Math.max(1, Math.floor(Math.min(part * this.kept, left + own) / 8));
    return Math.max(left - Math.floor(part * this.kept), Math.min(left - outOfReach, little - own));
  }

  /** The part that does not allow as much in one piece; undefined when there is room. */
  reachedPart(holder: Holder, amount: number): Part | undefined {
    if (amount === 0) return undefined;
    const rooms = this.rooms(holder);
    if (amount > rooms.owner && this.heldBy(holder.owner) > 0) return 'owner';
    if (amount > rooms.all) return 'all';
    return amount > rooms.newcomers ? 'newcomers' : undefined;
  }

  /** The name of this part. */
  reached(holder: Holder, amount: number): Bound | undefined {
    const part = this.reachedPart(holder, amount);
    return part && partOf(this.share.bound, part);
  }

  heldBy(owner: Owner): number {
    return this.#owners.get(owner) ?? 0;
  }

  /** What is held of a part of the bound; `owner`: whose part it is. */
  heldIn(part: Part, owner: Owner): number {
    if (part === 'owner') return this.heldBy(owner);
    return part === 'all' ? this.#all : this.#newcomers;
  }

  /** Holds what exists already, whether or not there is room. */
  holdAnyway(holder: Holder, amount: number): () => void {
    if (amount === 0) return () => {};
    const { lane, owner } = holder;
    const account = this.#lanes.get(lane) ?? { held: 0, isNewcomer: this.isNewcomer(lane) };
    if (account.held === 0) this.#lanes.set(lane, account);
    this.#count(account, owner, amount);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#count(account, owner, -amount);
      if (account.held === 0) this.#lanes.delete(lane);
    };
  }

  #count(account: Account, owner: Owner, change: number): void {
    account.held += change;
    this.#all += change;
    if (account.isNewcomer) this.#newcomers += change;
    const own = this.heldBy(owner) + change;
    if (own > 0) this.#owners.set(owner, own);
    else this.#owners.delete(owner);
  }

  /** Whether what the lane holds counts as a newcomer's. */
  isNewcomer(lane: Lane): boolean {
    return this.#lanes.get(lane)?.isNewcomer ?? !this.shares.acceptedLanes.has(lane);
  }
}

/** The error for what a shared bound refuses or drops. `effect`: the end of its message. */
export function refusedBy(
  bound: Bound,
  httpStatus?: 503,
  effect = '; nothing was sent. Try again later.',
): GatewayError {
  const [, name = bound, part = 'all'] = /^(.*?)(?:-(newcomers|owner))?$/.exec(bound) ?? [];
  const what = sharedBounds[name as keyof typeof sharedBounds];
  const message = `${whose[part as Part]} reached the bound on ${what}${effect}`;
  return tryAgainLater(bound, message, { retryAfterMs: 1_000, httpStatus });
}

/** Who has reached a part of a bound. */
const whose: Readonly<Record<Part, string>> = {
  all: 'All callers have together',
  newcomers: 'Callers that the document service has not accepted yet have together',
  owner: 'This caller has',
};
