/** Finds the place in the input that a path in a response of the service is about. */
import type { Endpoint } from './endpoint.ts';

/** Most steps of a path. */
export const maxSteps = 12;
/** Most characters of a step. */
const maxStepLength = 100;

/** The steps of `lines.0.amount`, `lines[0].amount`, `/lines/0/amount` and `$.lines[0].amount`; of a long path the first. */
export function stepsOf(path: string): string[] {
  return path
    .slice(0, (maxSteps + 1) * (maxStepLength + 1))
    .split(/[.[\]/#$]+/)
    .filter((step) => step !== '');
}

/** Names of the whole input, before a member of it. */
const wholeInput = ['body', 'data', 'input', 'request', 'invoice'];

/** A path in the request without the names of the whole input. Paths of GraphQL begin with the name of the operation, as the envelope has. */
export function membersIn({ envelope }: Endpoint, steps: readonly string[]): readonly string[] {
  const first = steps.findIndex((step) => step !== envelope && !wholeInput.includes(step));
  return first < 0 ? [] : steps.slice(first);
}

/** The path in the field's arguments of a path in the request; undefined when the request has no such member. */
export function inputPath(endpoint: Endpoint, steps: readonly string[]): string[] | undefined {
  if (steps.length > maxSteps || steps.some(({ length }) => length > maxStepLength)) return undefined;
  const { inputPaths = {} } = endpoint;
  const [first = '', ...rest] = membersIn(endpoint, steps);
  const name = Object.keys(inputPaths).find((known) => known.toLowerCase() === first.toLowerCase());
  return name === undefined ? undefined : [...(inputPaths[name] ?? []), ...rest];
}
