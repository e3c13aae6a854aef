/** Checks a request's variables against the declarations of its operation, before any of them is coerced or kept. */
import {
  GraphQLError,
  GraphQLID,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';

/** Most errors of one request. */
const maxErrors = 5;
/** Longest name that a message quotes, in characters. */
const maxQuoted = 60;

type Variables = Readonly<Record<string, unknown>>;

/** What is wrong with the variables, at most 5 errors, all of them BAD_USER_INPUT. */
export function variableErrors(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables,
): GraphQLError[] {
  const errors: GraphQLError[] = [];
  const undeclared = new Set(Object.keys(variables));
  for (const { variable, type: node } of variableDefinitions) {
    const { value: name } = variable.name;
    if (!undeclared.delete(name)) continue;
    const type = typeFromAST(schema, node);
    if (!isInputType(type) || !containsId(type)) continue;
    const place = placeOfInexactId(variables[name], type);
    if (place) errors.push(inexactId([name, ...place]));
  }
  for (const name of undeclared) {
    if (errors.length >= maxErrors) break;
    errors.push(new GraphQLError(`The operation does not declare the variable "${quoted(name)}".`));
  }
  return errors.slice(0, maxErrors);
}

const idsInTypes = new Map<GraphQLInputType, boolean>();

/** Whether values of the type can hold an ID: most are not looked into. */
function containsId(type: GraphQLInputType): boolean {
  const known = idsInTypes.get(type);
  if (known !== undefined) return known;
  // An input type that refers to itself: its other fields decide.
  idsInTypes.set(type, false);
  const nullable = getNullableType(type);
  const contains = isListType(nullable)
    ? containsId(nullable.ofType)
    : isInputObjectType(nullable)
      ? Object.values(nullable.getFields()).some((field) => containsId(field.type))
      : nullable === GraphQLID;
  idsInTypes.set(type, contains);
  return contains;
}

/** The path to the first ID given as a number that JSON.parse may have rounded. */
function placeOfInexactId(value: unknown, type: GraphQLInputType): (string | number)[] | undefined {
  const nullable = getNullableType(type);
  if (typeof value === 'number') {
    const leaf = isListType(nullable) ? getNullableType(nullable.ofType) : nullable;
    return leaf === GraphQLID && !Number.isSafeInteger(value) ? [] : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (isListType(nullable)) {
    const items = Array.isArray(value) ? value : [value];
    for (const [index, item] of items.entries()) {
      const place = placeOfInexactId(item, nullable.ofType);
      if (place) return [index, ...place];
    }
  } else if (isInputObjectType(nullable) && !Array.isArray(value)) {
    for (const field of Object.values(nullable.getFields())) {
      if (!Object.hasOwn(value, field.name) || !containsId(field.type)) continue;
      const place = placeOfInexactId((value as Variables)[field.name], field.type);
      if (place) return [field.name, ...place];
    }
  }
  return undefined;
}

function inexactId(path: readonly (string | number)[]): GraphQLError {
  const place = path.map((step) => (typeof step === 'string' ? quoted(step) : step)).join('.');
  return new GraphQLError(
    `The number at "${place}" is not an integer of at most 2^53 - 1, so it cannot be an exact ID: send a string.`,
  );
}

function quoted(name: string): string {
  return name.length > maxQuoted ? `${name.slice(0, maxQuoted)}…` : name;
}
