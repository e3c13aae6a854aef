/** The objects of a Malaysian status response that may describe the document. */
import type { MalaysiaState } from '../../config/config.ts';
import { isObject } from '../../tools/is-object.ts';
import { oneObject, type WireObject } from '../../upstream/decode.ts';
import { hasPortalShape } from './gov-portal.ts';
import { reasonNames } from './status-reason.ts';
import { membersNamed, normalized } from './status-words.ts';

/** One object of the response in which members of a status are looked for. */
export interface Part {
  readonly wire: WireObject;
  /** Number of objects around it: 0 for the response itself. */
  readonly depth: number;
  /** Whether it is the response, has the id of the document, or is about it: reached through envelopes and portal details only. */
  readonly isOfDocument: boolean;
  /** The texts of its members named after a state, in the order of `stateNames`. */
  readonly texts: readonly string[];
}

export interface StateWord {
  readonly raw: string;
  readonly state: MalaysiaState;
  readonly part: Part;
}

/** Names of the state, normalized. In one object the first known word counts. */
const stateNames = ['status', 'state', 'documentstatus', 'einvoicestatus', 'validationstatus'];
/** Names of the state's text where the state is an object, normalized. */
const stateTextNames = ['code', 'name', 'value'];

/** Names of members that only wrap the document, normalized. */
const envelopeName =
  /^(data|results?|response|payload|body|records?|items?|documents?|docs?|e?invoices?|(get)?malaysia(e?invoice|document)?status)$/;
/** Names of members whose own states describe something else than the document, normalized. */
const foreignName = new RegExp(
  '(supplier|buyer|seller|vendor|customer|issuer|receiver|recipient|part(y|ies)|address(es)?|contacts?|errors?|warnings?|' +
    'users?|accounts?|compan(y|ies)|tenants?|tokens?|sessions?|auth|requests?|calls?|jobs?|tasks?|queues?|groups?|meta(data)?|' +
    'lines?|tax(es)?|payments?|history|signatures?|certificates?|notifications?|webhooks?|e?mails?)$|^(original|previous|related|reference)',
);

/** Names of the document's id, normalized. */
const idNames = ['docid', 'documentid'];

/** Levels of objects that are searched. */
const maxDepth = 4;
/** Most parts of one response: the service decides how many objects there are, and each is searched in several ways. */
const maxParts = 100;

/** The response and the objects in it that hold a state, a reason or the portal's ids, outermost first. */
export function partsOf(
  wire: WireObject,
  documentId = '',
  depth = 0,
  isOfDocument = true,
  room = { parts: maxParts },
): [Part, ...Part[]] {
  room.parts -= 1;
  const part = { wire, depth, isOfDocument, texts: stateTextsIn(wire) };
  const entries = Object.entries(wire.members);
  const asked = digitsOf(documentId) ?? documentId;
  const isDocument = idsIn(wire.members).includes(asked);
  // The responses of the other endpoints have one member, with the name of the operation.
  const isOnly = entries.length === 1;
  const below = entries.flatMap(([name, member]) => {
    if (room.parts === 0 || !isRelevant(name, member, depth + 1)) return [];
    // The shape is not stated: a list of one is no drift.
    const child = Array.isArray(member) ? wire.objects(name)[0] : wire.object(name);
    if (!child) return [];
    const isOfSame = isOnly || envelopeName.test(normalized(name)) || hasPortalShape(child.members);
    // An object around it that has the id too is the document itself, and this one a part of it.
    const hasId = !isDocument && idsIn(child.members).includes(asked);
    return partsOf(child, documentId, depth + 1, (isOfDocument && isOfSame) || hasId, room);
  });
  return [part, ...below];
}

/** The ids of a document that an object has; undefined for one that is not a number. */
export function idsIn(members: WireObject['members']): (string | undefined)[] {
  return membersNamed(idNames, members).map((name) => digitsOf(members[name]));
}

/** Longest id that is compared, in characters: the service decides how many zeros it has. */
const maxIdLength = 40;

/** The digits of an id without leading zeros; undefined for anything but a number or a text of digits. */
export function digitsOf(id: unknown): string | undefined {
  const text = typeof id === 'number' || typeof id === 'string' ? String(id) : '';
  return text.length <= maxIdLength ? /^0*(\d+)$/.exec(text)?.[1] : undefined;
}

function isRelevant(name: string, member: unknown, depth: number): boolean {
  const members = oneObject(member);
  if (!members || depth > maxDepth || foreignName.test(normalized(name))) return false;
  return (
    hasPortalShape(members) ||
    membersNamed([...stateNames, ...reasonNames], members).length > 0 ||
    Object.entries(members).some(([key, inner]) => isRelevant(key, inner, depth + 1))
  );
}

function stateTextsIn(wire: WireObject): string[] {
  return membersNamed(stateNames, wire.members).flatMap((name) => {
    const [value, ...others] = [wire.raw(name)].flat();
    if (others.length > 0) return [];
    const texts = isObject(value)
      ? membersNamed(stateTextNames, value).map((inner) => value[inner])
      : [value];
    return texts.filter((text) => typeof text === 'string').filter((text) => text.trim() !== '');
  });
}
