/**
 * Decodes the service's responses. A member that is missing or has another type is read as null, and an unknown
 * member is ignored; each is reported as drift.
 */

import type { Drift } from '../telemetry/drift.ts';
import { isObject } from '../tools/is-object.ts';
import { shortened } from '../tools/shortened.ts';
import { asDateTime } from './date-time.ts';

/** The response does not match the interface. */
export class UndecodableError extends Error {
  override readonly name = 'UndecodableError';
  /** Whether the response has data of the endpoint, at the top or under `data`. Without data its `errors` decide. */
  readonly hasData: boolean;
  readonly member: string;
  /** What could be read, for a caller who can use it without the missing member. */
  readonly partial: unknown;

  constructor(message: string, details: { hasData?: boolean; member?: string; partial?: unknown } = {}) {
    super(message);
    this.hasData = details.hasData ?? false;
    this.member = details.member ?? 'response';
    this.partial = details.partial;
  }
}

export type ReportDrift = (drift: Drift) => void;

type Members = Readonly<Record<string, unknown>>;

/** Characters of a name in a path: the service decides how long it is, and no longer path is logged. */
const maxNameLength = 200;

/** An object in a response of the service, read member by member. */
export class WireObject {
  readonly members: Members;
  readonly #path: string;
  readonly #report: ReportDrift;
  /** Names. The service decides how many there are: in a list, finding one would take time by their number. */
  readonly #read = new Set<string>();

  constructor(members: Members, path: string, report: ReportDrift) {
    this.members = members;
    this.#path = path;
    this.#report = report;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.members, name);
  }

  string(name: string): string | null {
    return this.#typed(name, asString);
  }

  /** An integer or a string, as a string: the interface writes ids both ways. */
  id(name: string): string | null {
    return this.#typed(name, asId);
  }

  /** An integer in the range of GraphQL's Int (32 bits). */
  integer(name: string): number | null {
    return this.#typed(name, asInteger);
  }

  /**
   * A time in the years 0 to 9999, from epoch milliseconds or an ISO 8601 string, as `toISOString` writes it. Without a zone
   * it is UTC.
   */
  dateTime(name: string): string | null {
    return this.#typed(name, asDateTime);
  }

  /** A text; of a list the texts in one line. What is neither is drift, and is returned as a text too: it is the service's word. */
  texts(name: string): string | null {
    const value = this.raw(name) ?? null;
    if (value === null || typeof value === 'string') return value;
    this.reportMistyped(name);
    return [value].flat().flatMap(textIn).join('; ') || null;
  }

  /** An object, or the one object of a list, which is drift. */
  object(name: string): WireObject | null {
    const members = this.#typed(name, oneObject);
    if (members && members !== this.members[name]) this.reportMistyped(name);
    return members && this.#child(name, members);
  }

  list(name: string): readonly unknown[] {
    return this.#typed(name, asList) ?? [];
  }

  /** The objects of a list. Other items are left out. */
  objects(name: string): WireObject[] {
    return this.records(name).flatMap(({ members }) => members ?? []);
  }

  /** The items of a list, whatever they are, with the members of those that are objects. Others are reported, null is left out. */
  records(name: string): { readonly raw: NonNullable<unknown>; readonly members: WireObject | null }[] {
    return this.list(name).flatMap((raw) => {
      if (isObject(raw)) return { raw, members: this.#child(name, raw) };
      this.reportMistyped(name);
      return raw === null || raw === undefined ? [] : { raw, members: null };
    });
  }

  /** The member as it is, for another decoder. */
  raw(name: string): unknown {
    this.#read.add(name);
    return Object.hasOwn(this.members, name) ? this.members[name] : undefined;
  }

  /** Reports that a member has another type than documented. */
  reportMistyped(name: string): null {
    this.#reportDrift('mistyped-member', name);
    return null;
  }

  /**
   * Returns the value for which all members were read. Reports unknown members, and members that were read but are absent
   * and not `optional`.
   */
  finish<T>(decoded: T, { optional = [] }: { optional?: readonly string[] | 'all' } = {}): T {
    for (const name of this.#read) {
      const isMissing = !this.has(name) && optional !== 'all' && !optional.includes(name);
      if (isMissing) this.#reportDrift('missing-member', name);
    }
    for (const name in this.members) {
      if (!this.#read.has(name)) this.#reportDrift('unknown-member', name);
    }
    return decoded;
  }

  /** Reports a value that is not in the documented list of words. */
  reportUnknownWord(name: string): void {
    this.#reportDrift('unknown-word', name);
  }

  #typed<T>(name: string, read: (value: unknown) => T | undefined): T | null {
    const value = this.raw(name);
    if (value === undefined || value === null) return null;
    return read(value) ?? this.reportMistyped(name);
  }

  #child(name: string, members: Members): WireObject {
    return new WireObject(members, this.#pathOf(name), this.#report);
  }

  #reportDrift(kind: Exclude<Drift['kind'], 'unreadable'>, name: string): void {
    this.#report({ kind, member: this.#pathOf(name) });
  }

  #pathOf(name: string): string {
    return `${this.#path}.${shortened(name, maxNameLength)}`;
  }
}

const asString = (value: unknown) => (typeof value === 'string' ? value : undefined);
const asList = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined);

/** The text of an object is one of its members, or all of it as JSON. */
function textIn(value: unknown): string | [] {
  if (value === null) return [];
  const text = isObject(value) ? (value['message'] ?? value['detail'] ?? value['reason']) : value;
  return typeof text === 'string' ? text : JSON.stringify(value);
}

function asId(value: unknown): string | undefined {
  if (typeof value === 'string' && value.trim() !== '') return value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

function asInteger(value: unknown): number | undefined {
  return typeof value === 'number' && (value | 0) === value ? value : undefined;
}

/** Returns the object under the response's envelope member, which may itself be under `data`, as in a GraphQL result. */
export function readEnvelope(
  body: unknown,
  { envelope }: { readonly envelope: string },
  report: ReportDrift,
): WireObject {
  const outer = readResponse(body, 'response', report);
  const member = outer.raw(envelope) ?? oneObject(outer.members['data'])?.[envelope];
  const inner = oneObject(member);
  if (!inner) {
    throw new UndecodableError(`The response has no object "${envelope}".`, {
      hasData: hasAnyData(outer.members, [envelope]),
      member: envelope,
    });
  }
  if (inner !== member) outer.reportMistyped(envelope);
  return outer.finish(new WireObject(inner, envelope, report));
}

/** Returns the response itself as an object, for an endpoint without an envelope. `name` starts the paths of drift. */
export function readResponse(body: unknown, name: string, report: ReportDrift): WireObject {
  const members = oneObject(body);
  if (!members) throw new UndecodableError('The response is not a JSON object.');
  if (members !== body) report({ kind: 'mistyped-member', member: name });
  return new WireObject(members, name, report);
}

/**
 * Returns the record of a response that is documented without an envelope: the response itself, or what is under `data`
 * if only that has one of the members `signs`.
 */
export function recordIn(response: WireObject, signs: readonly string[]): WireObject {
  const isRecord = (object: WireObject) => signs.some((name) => object.has(name));
  if (isRecord(response)) return response;
  const data = response.object('data');
  return data && isRecord(data) ? data : response;
}

/** An object, or the one object of a list. */
export function oneObject(value: unknown): Members | undefined {
  const object: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isObject(object) ? object : undefined;
}

/** Members that say something about the call or its input, not what it made. */
const aboutCall = (
  'data errors error warnings extensions meta metadata links pagination request ' +
  'messages details problems issues violations validation validationErrors'
).split(' ');
/** The id of what was made, which may come without an envelope. */
const idOfResult = /^(doc(ument)?_?)?id$/i;

/**
 * Whether the response has data, at the top or under `data`: an id, a member of one of these names that is not null, or under
 * any other name an object or a list, which may be the result.
 */
export function hasAnyData(response: Members, names: readonly string[]): boolean {
  const data = Object.hasOwn(response, 'data') ? response['data'] : undefined;
  if (data !== undefined && data !== null && !isObject(data)) return true;
  const isOfResult = (name: string) => idOfResult.test(name) || names.includes(name);
  return [response, data ?? {}].some((members) =>
    Object.entries(members).some(([name, value]) =>
      isOfResult(name) ? value !== null : !aboutCall.includes(name) && isFilled(value),
    ),
  );
}

function isFilled(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** Returns the member's value, or throws when it is null: without it the response is useless. */
export function required<T>(value: T | null, member: string): T {
  if (value !== null) return value;
  throw new UndecodableError(`The response has no "${member}".`, { hasData: true, member });
}
