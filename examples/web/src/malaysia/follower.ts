import type { Client } from '@urql/core';
import { followDocument, type LiveStatus } from './follow-document.ts';

export interface Follower {
  /** Replaces the set of documents that are followed. */
  follow(documentIds: readonly string[]): void;
  readonly stop: () => void;
}

export function createFollower(
  client: Client,
  onChange: (documentId: string, live: LiveStatus) => void,
): Follower {
  /** Functions that stop following, by document. */
  const followed = new Map<string, () => void>();

  function follow(documentIds: readonly string[]) {
    for (const [documentId, stop] of followed) {
      if (documentIds.includes(documentId)) continue;
      stop();
      followed.delete(documentId);
    }
    for (const documentId of documentIds) {
      if (followed.has(documentId)) continue;
      followed.set(
        documentId,
        followDocument(client, documentId, (live) => onChange(documentId, live)),
      );
    }
  }

  return { follow, stop: () => follow([]) };
}
