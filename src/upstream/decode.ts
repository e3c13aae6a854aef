/**
 * The door: what the service sends becomes a typed value here or is left out. A member missing or of
 * another type reads as null; a member nobody asked for is ignored; each is reported as drift.
 */

import { isObject } from '../is-object.ts';

/** The answer does not fit the interface. */
export class UndecodableError extends Error {
  override readonly name = 'UndecodableError';
  /** The endpoint's envelope is there, as an object: what was asked for was done, only its answer cannot be used. */
  readonly hasEnvelope: boolean;
  /** The answer holds data of the endpoint, at the top or under `data`; without any, its `errors` decide. */
  readonly hasData: boolean;
  /** What is missing. */
  readonly member: string;

  constructor(
    message: string,
    {
      hasEnvelope,
      hasData = hasEnvelope,
      member = 'answer',
    }: { hasEnvelope: boolean; hasData?: boolean; member?: string },
  ) {
    super(message);
    this.hasEnvelope = hasEnvelope;
    this.hasData = hasData;
    this.member = member;
  }
}

export interface Drift {
  readonly kind: 'unknown-member' | 'missing-member' | 'mistyped-member' | 'unknown-word';
  /** Where in the answer, without list indices, e.g. `createGroup.queues`. */
  readonly member: string;
}

export type ReportDrift = (drift: Drift) => void;

type Members = Readonly<Record<string, unknown>>;

/** An object of the service's answer, read member by member. */
export class WireObject {
  readonly members: Members;
  readonly #path: string;
  readonly #report: ReportDrift;
  readonly #read: string[] = [];

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

  /** An integer or a text, as a text: the interface spells ids both ways. */
  id(name: string): string | null {
    return this.#typed(name, asId);
  }

  /** A whole number within GraphQL's Int (32 bits). */
  integer(name: string): number | null {
    return this.#typed(name, asInteger);
  }

  /** A moment of the years 0 to 9999, as epoch milliseconds or as an ISO 8601 text, UTC where that names no zone. */
  dateTime(name: string): Date | null {
    return this.#typed(name, asDateTime);
  }

  object(name: string): WireObject | null {
    const members = this.#typed(name, asMembers);
    return members && new WireObject(members, `${this.#path}.${name}`, this.#report);
  }

  list(name: string): readonly unknown[] {
    return this.#typed(name, asList) ?? [];
  }

  /** The objects of a list; whatever else stands in it is left out. */
  objects(name: string): WireObject[] {
    return this.list(name).flatMap((item) => this.#child(name, item) ?? this.#mistyped(name) ?? []);
  }

  /** The member as it is, for what has a decoder of its own. */
  raw(name: string): unknown {
    this.#read.push(name);
    return Object.hasOwn(this.members, name) ? this.members[name] : undefined;
  }

  /** A member whose value is news: reported whatever it is. */
  reportMistyped(name: string): void {
    this.#report({ kind: 'mistyped-member', member: `${this.#path}.${name}` });
  }

  /** Call once all known members were read: the others are reported, and what is absent without being optional. */
  finish({ optional = [] }: { optional?: readonly string[] } = {}): void {
    for (const name of this.#read) {
      if (!this.has(name) && !optional.includes(name)) {
        this.#report({ kind: 'missing-member', member: `${this.#path}.${name}` });
      }
    }
    // The service chooses how many there are: looking each up in a list takes time by their square.
    const asked = new Set(this.#read);
    for (const name in this.members) {
      if (!asked.has(name)) this.#report({ kind: 'unknown-member', member: `${this.#path}.${name}` });
    }
  }

  reportUnknownWord(name: string): void {
    this.#report({ kind: 'unknown-word', member: `${this.#path}.${name}` });
  }

  #typed<T>(name: string, read: (value: unknown) => T | undefined): T | null {
    this.#read.push(name);
    const value = Object.hasOwn(this.members, name) ? this.members[name] : undefined;
    if (value === undefined || value === null) return null;
    return read(value) ?? this.#mistyped(name);
  }

  #child(name: string, value: unknown): WireObject | undefined {
    return isObject(value) ? new WireObject(value, `${this.#path}.${name}`, this.#report) : undefined;
  }

  #mistyped(name: string): null {
    this.#report({ kind: 'mistyped-member', member: `${this.#path}.${name}` });
    return null;
  }
}

const asString = (value: unknown) => (typeof value === 'string' ? value : undefined);
const asList = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined);
const asMembers = (value: unknown) => (isObject(value) ? value : undefined);

function asId(value: unknown): string | undefined {
  if (typeof value === 'string' && value !== '') return value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

function asInteger(value: unknown): number | undefined {
  return Number.isInteger(value) && Math.abs(value as number) < 2 ** 31 ? (value as number) : undefined;
}

/** ISO 8601: a date, or a date and a time with or without a zone. */
const isoMoment =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(:\d\d(?:[.,]\d+)?)?(?:[Zz]|([+-]\d\d)(?::?(\d\d))?)?)?$/;
/** The years 0 to 9999, beyond which ISO 8601 needs more digits (epoch ms). */
const [firstMoment, lastMoment] = [Date.parse('0000-01-01'), Date.parse('9999-12-31T23:59:59.999Z')];

/** A time without a zone is UTC. A day that its month does not have is no moment: `Date` would take the next one. */
function asDateTime(value: unknown): Date | undefined {
  const moment = new Date(typeof value === 'string' ? (epochOf(value) ?? Number.NaN) : (value as number));
  const isMoment = typeof value === 'string' || typeof value === 'number';
  return isMoment && moment.getTime() >= firstMoment && moment.getTime() <= lastMoment ? moment : undefined;
}

function epochOf(text: string): number | undefined {
  const [, day, time = '00:00', rest = '', zoneHours = '+00', zoneMinutes = '00'] =
    isoMoment.exec(text) ?? [];
  if (day === undefined || new Date(`${day}T00:00Z`).getUTCDate() !== Number(day.slice(8))) return undefined;
  return Date.parse(`${day}T${time}${rest.replace(',', '.')}${zoneHours}:${zoneMinutes}`);
}

/** The object under the answer's envelope member. */
export function readEnvelope(body: unknown, envelope: string, report: ReportDrift): WireObject {
  const outer = readResponse(body, 'answer', report);
  const inner = outer.has(envelope) ? outer.members[envelope] : undefined;
  if (!isObject(inner)) {
    throw new UndecodableError(`the answer has no object ${envelope}`, {
      hasEnvelope: false,
      hasData: hasAnyMember(outer.members, [envelope]),
      member: envelope,
    });
  }
  return new WireObject(inner, envelope, report);
}

/** The answer itself as an object, for endpoints without an envelope. */
export function readResponse(body: unknown, name: string, report: ReportDrift): WireObject {
  if (isObject(body)) return new WireObject(body, name, report);
  throw new UndecodableError('the answer is no JSON object', { hasEnvelope: false });
}

/** Whether a member of one of these names stands in the answer, or one level down under `data`, and is not null. */
export function hasAnyMember(answer: Members, names: readonly string[]): boolean {
  const data = Object.hasOwn(answer, 'data') ? answer['data'] : undefined;
  if (data !== undefined && data !== null && !isObject(data)) return true;
  return [answer, data ?? {}].some((members) =>
    names.some((name) => Object.hasOwn(members, name) && (members as Members)[name] !== null),
  );
}

/** A member without which the answer is of no use. */
export function required<T>(value: T | null, member: string): T {
  if (value !== null) return value;
  throw new UndecodableError(`the answer has no ${member}`, { hasEnvelope: true, member });
}
