/** Finds the texts in a response in the usual forms of errors. */
import { isObject } from '../../tools/is-object.ts';
import { normalized, placeIn, placeMembers, stepsOf } from './input-path.ts';

type Place = readonly string[];
export type Members = Readonly<Record<string, unknown>>;

/** A text, and the path under which it was found. */
export interface FoundText {
  readonly place: Place;
  readonly text: string;
}

export const maxTexts = 20;
/**
 * Most levels and most values that are searched: the service decides how many there are. A reason for the amount of a tax of a
 * line is twelve levels deep where each member has a list of `children`.
 */
const maxDepth = 12;
const maxValues = 1_000;

const listed = (...lines: readonly string[]) => lines.join(' ').split(' ');

/** Members that hold texts, or objects with texts, normalized. The more specific ones are first. */
const textMembers = listed(
  'message messages errors error detail details title msg reason reasons description errordescription errormessage',
  'errormessages errmsg defaultmessage statusmessage violations fieldviolations issues constraints children',
  'invalidparams validationerrors fielderrors formerrors fault faultstring extensions originalerror response exception',
  'rejecteddocuments',
);
/** Members of which an unknown name in an object is the name of a member of the input, normalized. */
const groupMembers = listed('message messages errors error detail details validationerrors fielderrors');

/** All texts, or without any the numbers that have a name, such as codes. */
export function textsOrCodes(body: unknown): FoundText[] {
  const texts = search(body);
  return texts.length > 0 ? texts : search(body, true);
}

/** All texts of a response, in the order of `textMembers`; those one level down if there are none at the top. */
export function search(body: unknown, hasCodes = false): FoundText[] {
  const found: FoundText[] = [];
  let values = 0;

  /** `isGroup`: in an object, unknown names are those of members of the input. `isItem`: of a list, so that it is one error. */
  function read(value: unknown, place: Place, depth: number, isGroup: boolean, isItem = false): void {
    values += 1;
    if (depth > maxDepth || values > maxValues || found.length >= maxTexts) return;
    const isCode = hasCodes && place.length > 0 && isNumberOrTrue(value);
    if (typeof value === 'string' || isCode) found.push({ place, text: String(value) });
    else if (Array.isArray(value)) readList(value, place, depth, isGroup);
    else if (isObject(value)) readObject(value, place, depth, isGroup, isItem);
  }

  function readList(items: readonly unknown[], place: Place, depth: number, isGroup: boolean) {
    // An item without a reason shows that each has the place of its item in the input.
    const isByIndex = isGroup && place.length > 0 && items.slice(0, maxValues).some(isEmpty);
    for (const [index, item] of items.entries()) {
      if (values > maxValues) return;
      read(item, isByIndex ? [...place, String(index)] : place, depth + 1, isGroup, true);
    }
  }

  function readObject(members: Members, place: Place, depth: number, isGroup: boolean, isItem: boolean) {
    const before = found.length;
    const entries = Object.entries(members).map(([name, value]) => [name, value, normalized(name)] as const);
    const byName = Map.groupBy(entries, ([, , name]) => name);
    const texts = textMembers.flatMap((name) => byName.get(name) ?? []);
    // The names in an object of reasons by member are those of members, also `name` and `path`.
    const isError = depth > 0 && (texts.length > 0 || isItem || !isGroup);
    const own = isError ? placeIn(members, isGroup) : [];
    // An error under the name of its member may name it once more.
    const isRepeated = `/${place.join('/')}`.endsWith(`/${own.join('/').replace(/^\//, '')}`);
    const here = isRepeated ? place : [...place, ...own];
    for (const [, value, name] of texts) {
      // The texts of `constraints` are named by their rules.
      const inner = name === 'constraints' && isObject(value) ? Object.values(value) : value;
      read(inner, here, depth + 1, groupMembers.includes(name));
    }
    if (found.length > before) return;
    // One text under an unknown name, as in place of an envelope. Several lines may be data.
    const [[, only] = []] = entries;
    if (depth === 0 && entries.length === 1 && typeof only === 'string' && !/^"|\n/.test(only)) {
      found.push({ place, text: only });
    }
    const rest = entries.filter(([, , name]) => own.length === 0 || !placeMembers.includes(name));
    for (const [name, value] of rest.length > 0 ? rest : entries) {
      if (isGroup && !name.startsWith('@')) {
        read(value, own.length > 0 && !hasCodes ? here : [...here, ...stepsOf(name)], depth + 1, true);
      } else if (depth < 2 && isObject(value)) readObject(value, here, depth + 1, false, false);
    }
  }

  read(body, [], 0, false);
  return found;
}

function isEmpty(item: unknown): boolean {
  return item === null || (isObject(item) && Object.keys(item).length === 0);
}

/** A count of 0 reports nothing. */
export function isNumberOrTrue(value: unknown): boolean {
  return value === true || (typeof value === 'number' && value !== 0);
}
