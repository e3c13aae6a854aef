/** What callers can make large or many and operations hold while they run: documents, variables, and what subscriptions need. */
import { LaneBudget } from '../shares/lane-budget.ts';
import type { Holder } from '../shares/share.ts';
import type { Shares } from '../shares/shares.ts';
import type { PreparedOperation, ValidDocument } from './document-cache.ts';
import { createDocumentsInUse } from './documents-in-use.ts';

/** Variables up to this size are not counted (bytes): their request holds more memory than they do. */
const smallVariableBytes = 1_024;

/** The document of a query or mutation up to this size is not counted (bytes): the operation holds more in addition. */
const smallDocumentBytes = 20 * 1_024;

/** Memory of one subscription for each document that it watches, estimated (bytes). */
const subscriptionBytes = 512;

/** Releases what was held. */
type Release = () => void;

export interface OperationMemory {
  /** The document with this hash, if an operation holds it, so that its text is not parsed again. */
  find(hash: string): ValidDocument | undefined;
  /** Holds the memory of a query or a mutation. Throws RATE_LIMITED above a budget. */
  hold(operation: PreparedOperation, holder: Holder): Release;
  /**
   * Holds the memory of a subscription. `variables`: as JSON; `calls`: number of documents that it watches. Throws
   * RATE_LIMITED above a budget.
   */
  holdSubscription(operation: PreparedOperation, holder: Holder, variables: string, calls: number): Release;
}

export function createOperationMemory(shares: Shares): OperationMemory {
  const variables = new LaneBudget(shares.of.variables, shares);
  const documents = createDocumentsInUse(new LaneBudget(shares.of.documents, shares));
  const subscriptions = new LaneBudget(shares.of.subscriptions, shares);
  const subscribed = createDocumentsInUse(subscriptions);

  return {
    find: (hash) => subscribed.find(hash) ?? documents.find(hash),

    hold(operation, holder) {
      const { variableBytes, bytes, persisted } = operation;
      const releaseVariables =
        variableBytes > smallVariableBytes ? variables.hold(holder, variableBytes, 503) : nothing;
      if (bytes <= smallDocumentBytes) return releaseVariables;
      return withAnother(releaseVariables, () =>
        documents.hold(holder, documentOf(operation), persisted !== undefined),
      );
    },

    holdSubscription: (operation, holder, variables, calls) =>
      withAnother(subscribed.hold(holder, documentOf(operation), operation.persisted !== undefined), () =>
        subscriptions.hold(holder, 2 * variables.length + calls * subscriptionBytes),
      ),
  };
}

const nothing: Release = () => {};

/** Holds one thing more, or releases the first one when that throws. */
function withAnother(release: Release, hold: () => Release): Release {
  try {
    const releaseOther = hold();
    return () => {
      release();
      releaseOther();
    };
  } catch (error) {
    release();
    throw error;
  }
}

function documentOf({ document, hash, bytes }: PreparedOperation): ValidDocument {
  return { document, hash, bytes };
}
