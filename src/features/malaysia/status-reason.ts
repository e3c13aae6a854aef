/** Finds the reason of a state: its member is not stated, so all usual names and forms are read. */
import { isObject } from '../../tools/is-object.ts';
import { detached, shortened } from '../../tools/shortened.ts';
import type { WireObject } from '../../upstream/decode.ts';
import { membersNamed, normalized } from './status-words.ts';

/** Names of a reason, normalized, the best first. A `message` may describe the call instead. */
export const reasonNames = 'reason failurereason rejectionreason invalidreason errors error message'.split(
  ' ',
);

/** Members of an object of a list of reasons that hold its text, normalized. */
const textNames = ['message', 'reason', 'detail', 'description', 'error', 'msg'];

/** A message, or a word in place of a state, that only acknowledges the call. */
export const acknowledgement = /^(ok|okay|success(ful|fully)?|done)[.!]?$/i;

/** Maximum length of a reason, in characters. */
const maxLength = 2_000;
/** Maximum length of a member's name before its texts, in characters. */
const maxNameLength = 100;
/** Levels of lists and objects that are searched for texts. */
const maxDepth = 4;

/** `reason`: the texts under the most certain name. */
export function reasonsIn(wire: WireObject) {
  let reason: string | null = null;
  let message: string | null = null;
  for (const name of membersNamed(reasonNames, wire.members)) {
    const text = reasonText(wire.raw(name));
    if (normalized(name) === 'message') message ??= text;
    else reason ??= text;
  }
  return { reason, message, isAcknowledgement: acknowledgement.test(message ?? '') };
}

/** All texts of a text, a list, or an object, in one line; null when none is under one of `names`. Default: the known ones. */
export function reasonText(value: unknown, names: 'known' | 'any' = 'known'): string | null {
  if (textsIn(value, 1, names).length === 0) return null;
  return detached(shortened(textsIn(value, 1, 'any').join('; '), maxLength));
}

/** A reason without a text under a known name, such as a code: its texts, each after the name of its member. */
export function otherReasonIn(wire: WireObject): string | null {
  const texts = membersNamed(reasonNames, wire.members).map((name) => wire.raw(name));
  return texts.map((value) => reasonText(value, 'any')).find((text) => text !== null) ?? null;
}

function textsIn(value: unknown, depth: number, names: 'known' | 'any'): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
  if (depth > maxDepth) return [];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, depth + 1, names));
  if (!isObject(value)) return [];
  for (const name of membersNamed(textNames, value)) {
    const texts = textsIn(value[name], depth + 1, names);
    if (texts.length > 0) return texts;
  }
  // An object of texts by member, as validation of an input reports them.
  return Object.entries(value).flatMap(([name, inner]) => {
    const start = shortened(name, maxNameLength);
    const isRead = names === 'any' || Array.isArray(inner);
    if (names === 'any' && typeof inner === 'number' && inner !== 0) return `${start}: ${inner}`;
    return isRead ? textsIn(inner, depth + 1, names).map((text) => `${start}: ${text}`) : [];
  });
}
