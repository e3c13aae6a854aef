import { useEffect, useMemo, useState } from 'react';
import { useClient } from 'urql';
import type { LiveStatus } from './follow-document.ts';
import { createFollower } from './follower.ts';

/** Follows all documents over the client's socket, until the view is closed or the credentials change. */
export function useLiveStatuses(documentIds: readonly string[]): ReadonlyMap<string, LiveStatus> {
  const client = useClient();
  const [statuses, setStatuses] = useState<ReadonlyMap<string, LiveStatus>>(new Map());
  const follower = useMemo(
    () =>
      createFollower(client, (documentId, live) =>
        setStatuses((before) => new Map(before).set(documentId, live)),
      ),
    [client],
  );
  useEffect(() => follower.stop, [follower]);
  useEffect(() => follower.follow(documentIds), [follower, documentIds]);
  return statuses;
}
