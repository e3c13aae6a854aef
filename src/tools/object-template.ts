import { mechanisms } from './speed-mechanisms.ts';

/**
 * Returns an object with these members, all null, to be copied by `{ ...template }` and filled. An object that is filled
 * member by member becomes a hash table of V8 with its 17th member, which is much slower to fill and to write as JSON.
 * `JSON.parse` makes no such table for up to 128 members.
 */
export function objectTemplate<Name extends string>(names: readonly Name[]): Readonly<Record<Name, null>> {
  if (!mechanisms.objectTemplates) return {} as Readonly<Record<Name, null>>;
  const members = names.map((name) => `${JSON.stringify(name)}:null`);
  return JSON.parse(`{${members.join()}}`);
}
