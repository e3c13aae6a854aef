/**
 * Bounds a request's variables, and checks them against the declarations of its operation, before they are coerced or held.
 * Variables that the operation does not declare are ignored (GraphQL, section 6.1.2).
 */
import {
  GraphQLError,
  GraphQLID,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import { badUserInput } from '../errors.ts';
import { ExactNumber } from '../tools/exact-number.ts';
import { shortened } from '../tools/shortened.ts';

const maxErrors = 5;
/** Longest name that a message quotes, in characters. */
const maxQuoted = 60;

type Variables = Readonly<Record<string, unknown>>;

/** The errors of the variables, at most 5. All of them are BAD_USER_INPUT. */
export function variableErrors(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables,
): GraphQLError[] {
  const errors: GraphQLError[] = [];
  for (const { variable, type: node } of variableDefinitions) {
    const { value: name } = variable.name;
    if (!Object.hasOwn(variables, name)) continue;
    const type = typeFromAST(schema, node);
    if (!isInputType(type) || !containsId(type)) continue;
    const path = pathToInexactId(variables[name], type);
    if (path) errors.push(inexactId([name, ...path]));
  }
  return errors.slice(0, maxErrors);
}

/** By input type, of which none refers to itself: `Object.values` of the fields takes as long as all the rest of a search. */
const fieldsByType = new WeakMap<GraphQLInputObjectType, readonly GraphQLInputField[]>();

function fieldsWithIds(type: GraphQLInputObjectType): readonly GraphQLInputField[] {
  return fieldsByType.getOrInsertComputed(type, () =>
    Object.values(type.getFields()).filter((field) => containsId(field.type)),
  );
}

/** Whether values of the type can contain an ID. Other values are not searched. */
function containsId(type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  return isInputObjectType(named) ? fieldsWithIds(named).length > 0 : named === GraphQLID;
}

/** The path to the first ID that is a number which JSON.parse may have rounded. */
function pathToInexactId(value: unknown, type: GraphQLInputType): (string | number)[] | undefined {
  const nullable = getNullableType(type);
  if (typeof value === 'number' || value instanceof ExactNumber) {
    const leaf = isListType(nullable) ? getNullableType(nullable.ofType) : nullable;
    return leaf === GraphQLID && !Number.isSafeInteger(value) ? [] : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (isListType(nullable)) {
    const items = Array.isArray(value) ? value : [value];
    for (const [index, item] of items.entries()) {
      const path = pathToInexactId(item, nullable.ofType);
      if (path) return [index, ...path];
    }
  } else if (isInputObjectType(nullable) && !Array.isArray(value)) {
    for (const field of fieldsWithIds(nullable)) {
      if (!Object.hasOwn(value, field.name)) continue;
      const path = pathToInexactId((value as Variables)[field.name], field.type);
      if (path) return [field.name, ...path];
    }
  }
  return undefined;
}

function inexactId(path: readonly (string | number)[]): GraphQLError {
  const dotted = path.map((step) => (typeof step === 'string' ? shortened(step, maxQuoted) : step)).join('.');
  return new GraphQLError(
    `The number at "${dotted}" is not an integer of at most 2^53 - 1, so it cannot be an exact ID: send a string.`,
  );
}

/** Most members of one object in the variables. No input type has as many. */
const maxMembers = 1_000;

/** Most members of one list in the variables: coercing a list of objects costs several microseconds each. */
const maxVariableListLength = 10_000;

/**
 * Estimates the memory of the variables (bytes). Throws BAD_USER_INPUT for a list or an object with too many members:
 * graphql-js prints the whole object for each member that its type does not have.
 */
export function boundedMemoryOf(variables: unknown): number {
  return memoryOf(variables, (value) => checkSize(value, variables));
}

function checkSize(value: object, variables: unknown): void {
  if (Array.isArray(value) && value.length > maxVariableListLength) {
    throw badUserInput(
      `A list in ${placeOf(value, variables)} has more than ${maxVariableListLength} members.`,
    );
  }
  if (!Array.isArray(value) && Object.keys(value).length > maxMembers) {
    throw badUserInput(`An object in ${placeOf(value, variables)} has more than ${maxMembers} members.`);
  }
}

/** The variable that contains the list or object; "variables" for the object of all of them. */
function placeOf(part: object, variables: unknown): string {
  const names = Object.entries(variables as Variables).flatMap(([name, value]) => {
    let isPlace = false;
    memoryOf(value, (each) => {
      isPlace ||= each === part;
    });
    return isPlace ? [shortened(name, maxQuoted)] : [];
  });
  return names.length > 0 ? `the variable "${names[0]}"` : '"variables"';
}

/** Estimated memory of one value, an empty list, an empty object, and a member's name without its text (bytes). */
const valueBytes = 16;
const listBytes = 48;
const objectBytes = 96;
const nameBytes = 32;

/** Estimates the memory of a value from JSON (bytes). `check` is called with each list and object in it. */
export function memoryOf(value: unknown, check: (value: object) => void = () => {}): number {
  const open = [value];
  let bytes = typeof value === 'string' ? textBytes(value) : 0;
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    check(value);
    if (Array.isArray(value)) {
      bytes += listBytes;
    } else {
      bytes += objectBytes;
      for (const name of Object.keys(value)) bytes += nameBytes + textBytes(name);
    }
    for (const member of Object.values(value)) {
      bytes += valueBytes;
      if (typeof member === 'string') bytes += textBytes(member);
      else if (typeof member === 'object') open.push(member);
    }
  }
  return bytes;
}

/** V8 keeps a character in one byte, and in two if the text has one beyond Latin-1. */
function textBytes(text: string): number {
  return /[\u0100-\uffff]/.test(text) ? 2 * text.length : text.length;
}
