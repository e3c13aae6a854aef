/** The documents that operations in progress and subscriptions hold, which callers can make many and large. */
import type { Owner } from '../caller.ts';
import type { LaneBudget } from '../shares/lane-budget.ts';
import type { Holder } from '../shares/share.ts';
import type { ValidDocument } from './document-cache.ts';

interface Use {
  readonly document: ValidDocument;
  readonly bytes: number;
  /** The operations that hold it, by owner. */
  readonly holders: Map<Owner, { readonly holder: Holder; operations: number }>;
  payer: Owner;
  release: () => void;
}

/** A document counts once, for the owner who has held it longest, whatever the number of operations. */
export function createDocumentsInUse(budget: LaneBudget) {
  const uses = new Map<string, Use>();

  function release(hash: string, owner: Owner): void {
    const use = uses.get(hash) as Use;
    const own = use.holders.get(owner) as { operations: number };
    own.operations -= 1;
    if (own.operations > 0) return;
    use.holders.delete(owner);
    if (use.payer !== owner) return;
    use.release();
    const [next] = use.holders.values();
    if (!next) uses.delete(hash);
    else Object.assign(use, { payer: next.holder.owner, release: budget.holdAnyway(next.holder, use.bytes) });
  }

  /** A function of its own: the closure would keep the document and the holder as long as a subscription lasts. */
  function releaseOnce(hash: string, owner: Owner): () => void {
    let isHeld = true;
    return () => {
      if (isHeld) release(hash, owner);
      isHeld = false;
    };
  }

  return {
    /** The document with this hash, if an operation holds it, so that its text is not parsed again. */
    find: (hash: string) => uses.get(hash)?.document,

    /**
     * Holds for one operation. Returns a function that releases, once. Throws RATE_LIMITED above the budget. `isFree`: whether
     * the document counts as nothing, because callers cannot choose it.
     */
    hold(holder: Holder, document: ValidDocument, isFree: boolean): () => void {
      const { owner } = holder;
      const { hash } = document;
      const bytes = isFree ? 0 : document.bytes;
      const use = uses.getOrInsertComputed(hash, () => ({
        document,
        bytes,
        holders: new Map(),
        payer: owner,
        release: budget.hold(holder, bytes, 503),
      }));
      use.holders.getOrInsertComputed(owner, () => ({ holder, operations: 0 })).operations += 1;
      return releaseOnce(hash, owner);
    },
  };
}
