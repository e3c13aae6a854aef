/** The portal's details in a response: its ids for the document, in a member whose real name is not stated. */
import { oneObject, type WireObject } from '../../upstream/decode.ts';

export type GovPortalSubmission = NonNullable<ReturnType<typeof decodePortal>>;

/** The word of the service's document for the portal's details, in place of the real name (docs/service.md). */
export const portalStandIn = 'govPortal';

/** Whether a value has the shape of the portal's details: an object with a `submissionId` or a `uuid`. */
export function hasPortalShape(value: unknown): boolean {
  const portal = oneObject(value);
  return portal !== undefined && ['submissionId', 'uuid'].some((name) => Object.hasOwn(portal, name));
}

/**
 * The names of the members that have the shape of the portal's details, most certain first: the stand-in name, both
 * ids, a submission id, a uuid alone, which may also be the document's own.
 */
export function portalNames(members: WireObject['members']): string[] {
  return Object.keys(members)
    .filter((name) => hasPortalShape(members[name]))
    .sort((a, b) => doubtAbout(a, members[a]) - doubtAbout(b, members[b]));
}

/** 0 for the most certain form of the portal's details, 4 for the least certain. */
export function doubtAbout(name: string, value: unknown): number {
  if (name === portalStandIn) return 0;
  const { submissionId = null, uuid = null } = oneObject(value) ?? {};
  if (submissionId !== null) return uuid === null ? 2 : 1;
  return uuid === null ? 4 : 3;
}

/** The object with the portal's details among the members of `wire`; null when there is none. */
export function portalIn(wire: WireObject): WireObject | null {
  return wire.object(portalNames(wire.members)[0] ?? portalStandIn);
}

/** Longest id of the portal, in characters: each watch holds both. */
const maxIdLength = 200;

/** null when the portal has given no id yet. */
export function decodePortal(portal: WireObject) {
  const idIn = (name: string) => {
    const id = portal.id(name);
    return id !== null && id.length > maxIdLength ? portal.reportMistyped(name) : id;
  };
  const ids = { submissionId: idIn('submissionId'), uuid: idIn('uuid') };
  return ids.submissionId === null && ids.uuid === null ? null : ids;
}
