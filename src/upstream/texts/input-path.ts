/** Finds the place in the input that an error, or a path in a response of the service is about. */
import { isObject } from '../../tools/is-object.ts';
import type { Endpoint } from '../endpoint.ts';

/** Most steps of a path. */
const maxSteps = 12;
/** Most characters of a step. */
const maxStepLength = 100;

/** The steps of `lines.0.amount`, `lines[0].amount` and `$.lines[0].amount`; of a long path the first. A pointer is one step. */
export function stepsOf(path: string): string[] {
  return path
    .slice(0, (maxSteps + 1) * (maxStepLength + 1))
    .split(/[.[\]#$]+/)
    .filter((step) => step !== '');
}

/** Names of the whole input, before a member of it. */
const wholeInput = ['body', 'data', 'input', 'request', 'invoice'];

/** A path in the request without the names of the whole input. Paths of GraphQL begin with the name of the operation, as the envelope has. */
export function membersIn({ envelope }: Endpoint, steps: readonly string[]): readonly string[] {
  const first = steps.findIndex((step) => step !== envelope && !wholeInput.includes(step));
  return first < 0 ? [] : steps.slice(first);
}

/** The path in the field's arguments of a path in the request, or of `/lines/0/amount`; undefined when the request has no such member. */
export function inputPath(endpoint: Endpoint, path: readonly string[]): string[] | undefined {
  const steps = path.flatMap((step) => step.split('/')).filter((step) => step !== '');
  if (steps.length > maxSteps || steps.some(({ length }) => length > maxStepLength)) return undefined;
  const { inputPaths = {} } = endpoint;
  const [first = '', ...rest] = membersIn(endpoint, steps);
  const name = Object.keys(inputPaths).find((known) => known.toLowerCase() === first.toLowerCase());
  return name === undefined ? undefined : [...(inputPaths[name] ?? []), ...rest];
}

/** Members of an error that name the member of the input, or the document, normalized. */
export const placeMembers =
  'path field property param loc pointer instancepath propertypath target name docid documentid'.split(' ');

/** Longest name that is compared with known ones: the service decides how long it is. */
const maxNameLength = 200;

/** A member's name without the differences in spelling that mean nothing; empty for one that is not a known name. */
export function normalized(name: string): string {
  return name.length > maxNameLength ? '' : name.toLowerCase().replaceAll(/[_-]/g, '');
}

/** The steps to what an error is about. `mayBeDocument`: it is one of several errors, each may be about another document. */
export function placeIn(members: Readonly<Record<string, unknown>>, mayBeDocument = false): string[] {
  // Of two members with one name the first counts.
  const values = new Map(
    Object.entries(members)
      .reverse()
      .map(([name, value]) => [normalized(name), value]),
  );
  for (const name of placeMembers) {
    const value = members[name] ?? values.get(name);
    if (name.startsWith('doc') ? mayBeDocument && isStep(value) : typeof value === 'string')
      return stepsOf(String(value));
    if (Array.isArray(value))
      return value
        .slice(0, maxSteps + 1)
        .filter(isStep)
        .map(String);
  }
  return isObject(members['source']) ? placeIn(members['source']) : [];
}

/** Whether the value is a name, an index or an id. */
export function isStep(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
