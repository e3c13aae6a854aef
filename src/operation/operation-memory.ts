/** What callers can make large or many and operations hold while they run: documents, variables, and what subscriptions need. */
import type { Caller, Holder, Owner } from '../caller.ts';
import type { Context } from '../graphql/context.ts';
import { LaneBudget, refusedBy } from '../shares/lane-budget.ts';
import type { Shares } from '../shares/shares.ts';
import { resultLimit } from './result-limit.ts';
import type { PreparedOperation, ValidDocument } from './valid-document.ts';

/** Variables, and values in arguments, up to this size are not counted (bytes): their request holds more memory than they do. */
const smallVariableBytes = 1_024;

/** Memory of a field that waits for a call, besides the call, measured (bytes). */
const waitingFieldBytes = 768;

/** The document of a query or mutation up to this size is not counted (bytes): the operation holds more in addition. */
const smallDocumentBytes = 20 * 1_024;

/** Memory of one subscription without its document, measured (bytes). */
const subscriptionBytes = 4.25 * 1_024;

/** Memory of a subscription's span, measured (bytes). */
const spanBytes = 1.25 * 1_024;

/** Memory of a subscription for each value that it watches, measured (bytes). */
const watchedValueBytes = 256;

type Release = () => void;

/** An operation in progress: what is held for it is released when it ends. */
type InProgress = Pick<Context, 'onEnd'> & { readonly caller: Holder & Pick<Caller, 'span'> };

export function createOperationMemory(shares: Shares) {
  const variables = new LaneBudget(shares.of.variables, shares);
  const documents = createDocumentsInUse(new LaneBudget(shares.of.documents, shares));
  const subscriptions = new LaneBudget(shares.of.subscriptions, shares);
  const subscribed = createDocumentsInUse(subscriptions);
  /** Whether a query holds a result that only a long text of the service makes so large: there is one at a time. */
  let isLongTextHeld = false;

  return {
    /** The document with this hash, if an operation holds it, so that its text is not parsed again. */
    find: (hash: string) => subscribed.find(hash) ?? documents.find(hash),

    /** Holds the memory of a query or a mutation. Throws RATE_LIMITED above a budget. */
    hold(operation: PreparedOperation, of: InProgress): void {
      const { variableBytes, literalBytes, bytes } = operation;
      const values = variableBytes + literalBytes;
      if (values > smallVariableBytes) of.onEnd(variables.hold(of.caller, values, 503));
      if (bytes > smallDocumentBytes) of.onEnd(documents.hold(of.caller, operation));
    },

    /**
     * Holds the memory of the fields that wait for the calls of an operation: all of them may wait for one. Throws RATE_LIMITED
     * above the budget.
     */
    holdFields(calls: number, of: InProgress): void {
      const bytes = calls * waitingFieldBytes;
      // There is room for one operation, whatever MAX_OPERATION_COST is.
      if (bytes > smallVariableBytes)
        of.onEnd(variables.hold(of.caller, Math.min(bytes, variables.share.all / 8), 503));
    },

    /** Returns a function that holds what is built of a query's result, in place of what it has held before. */
    resultHolder(of: InProgress) {
      const { caller } = of;
      let release: Release = () => {};
      let isOver = false;
      of.onEnd(() => {
        isOver = true;
        release();
      });
      return (bytes: number) => {
        // What an aborted execution still builds, the errors of its calls for example, is dropped.
        if (isOver) return undefined;
        release();
        release = () => {};
        const hasLongText = bytes > resultLimit.maxBytes;
        // A large result fits for each kind of caller while there are no others.
        const counted = Math.min(bytes, variables.share.all / 8);
        const bound = hasLongText && isLongTextHeld ? 'variables' : variables.reached(caller, counted);
        if (bound) return refusedBy(bound, 503, ': the result was not built. Try again later.');
        const releaseBytes = variables.holdAnyway(caller, counted);
        isLongTextHeld ||= hasLongText;
        release = () => {
          releaseBytes();
          if (hasLongText) isLongTextHeld = false;
        };
        return undefined;
      };
    },

    /**
     * Holds the memory of a subscription. `variables`: as JSON; `calls`: number of values that it watches. Throws
     * RATE_LIMITED above a budget.
     */
    holdSubscription(operation: PreparedOperation, of: InProgress, variables: string, calls: number): void {
      const { caller } = of;
      const ofSpan = caller.span?.traceId ? spanBytes : 0;
      const bytes = subscriptionBytes + ofSpan + 2 * variables.length + calls * watchedValueBytes;
      of.onEnd(subscribed.hold(caller, operation));
      of.onEnd(subscriptions.hold(caller, bytes));
    },
  };
}

type DocumentOfOperation = Pick<PreparedOperation, keyof ValidDocument | 'persisted'>;

/** The uses of one document, which callers can make many and large. */
interface Use {
  readonly document: ValidDocument;
  readonly bytes: number;
  /** The operations that hold it, by owner. It counts for the first, who has held it longest. */
  readonly holders: Map<Owner, { readonly holder: Holder; operations: number }>;
  release: Release;
}

/** A document counts once, whatever the number of operations. */
export function createDocumentsInUse(budget: LaneBudget) {
  const uses = new Map<string, Use>();

  function release(hash: string, owner: Owner): void {
    const use = uses.get(hash) as Use;
    const own = use.holders.get(owner) as { operations: number };
    own.operations -= 1;
    if (own.operations > 0) return;
    const [payer] = use.holders.keys();
    use.holders.delete(owner);
    if (payer !== owner) return;
    use.release();
    const [next] = use.holders.values();
    if (next) use.release = budget.holdAnyway(next.holder, use.bytes);
    else uses.delete(hash);
  }

  return {
    find: (hash: string) => uses.get(hash)?.document,

    /**
     * Holds the document of one operation. Returns a function that releases. Throws RATE_LIMITED above the budget. A persisted
     * document counts as nothing, because callers cannot choose it.
     */
    hold({ lane, owner }: Holder, operation: DocumentOfOperation): Release {
      const holder = { lane, owner };
      const { document, hash, bytes, literalBytes, persisted } = operation;
      const counted = persisted ? 0 : bytes;
      // It may come to count for an owner who joins. One who holds nothing can always join.
      const joins = budget.heldBy(owner) > 0 && uses.get(hash)?.holders.has(owner) === false;
      const reached = joins ? budget.reached(holder, counted) : undefined;
      if (reached) throw refusedBy(reached, 503);
      const use = uses.getOrInsertComputed(hash, () => ({
        document: { document, hash, bytes, literalBytes },
        bytes: counted,
        holders: new Map(),
        release: budget.hold(holder, counted, 503),
      }));
      use.holders.getOrInsertComputed(owner, () => ({ holder, operations: 0 })).operations += 1;
      // A closure would keep the document as long as a subscription lasts.
      return release.bind(undefined, hash, owner);
    },
  };
}
