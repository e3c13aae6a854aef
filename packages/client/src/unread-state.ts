/**
 * Whether an event of `malaysiaStatusesChanged` only reports that the state of a document could not be read. Such an
 * event has the `id` of the document's status; a cache that stored it would lose the last state.
 */
export function isUnreadState(object: Readonly<Record<string, unknown>>): boolean {
  return (
    object['__typename'] === 'MalaysiaStatus' &&
    object['state'] === 'UNKNOWN' &&
    (object['rawState'] ?? null) === null
  );
}
