/** Refuses ids in variables that may have lost digits: numbers beyond 2^53, before they are coerced. */
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
import { ExactNumber } from '../tools/exact-number.ts';
import { quoted } from '../tools/shortened.ts';

const maxErrors = 5;

type Variables = Readonly<Record<string, unknown>>;

/**
 * The errors of inexact ids, at most 5. All of them are BAD_USER_INPUT. Variables that the operation does not declare are ignored
 * (GraphQL, section 6.1.2).
 */
export function inexactIdErrors(
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
  const dotted = path.map((step) => (typeof step === 'string' ? quoted(step) : step)).join('.');
  return new GraphQLError(
    `The number at "${dotted}" is not an integer of at most 2^53 - 1, so it cannot be an exact ID: send a string.`,
  );
}
