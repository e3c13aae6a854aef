/** A small schema whose operations are executed by the plan and by graphql-js. */
import {
  buildSchema,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLUnionType,
  parse,
} from 'graphql';
import { expect } from 'vitest';
import { executeByPlan, outcomeOf } from './outcome.ts';

export const schema = buildSchema(/* GraphQL */ `
  scalar Json
  enum Colour { RED GREEN }
  input Choice @oneOf { id: ID, name: String }
  input Box { size: Int! = 1, label: String = "none", json: Json, inner: Box }
  interface Shape { area: Float }
  type Circle implements Shape { area: Float, radius: Int! }
  type Square implements Shape { area: Float, side: Int!, corners: [[Int!]!] }
  union Thing = Circle | Square | Label
  type Label {
    text: String!
    note: String
    length(unit: String! = "mm"): Int
    colour: Colour
    inner: Label
    must: Label!
    list: [Label]
    full: [Label!]!
    thing: Thing
    shape: Shape
  }
  type Query {
    label: Label
    number: Int
    numbers: [Int!]
    echo(json: Json, choice: Choice, box: Box, boxes: [Box!], colour: Colour, number: Int = 7, name: String!= "x"): Json
    resolved(name: String): Label
  }
  type Mutation { step(number: Int!): Label, must: Int! }
  type Subscription { label: Label }
`);

const fieldOf = (type: string, name: string) => {
  const field = (schema.getType(type) as GraphQLObjectType).getFields()[name];
  if (!field) throw new Error(`no field ${type}.${name}`);
  return field;
};
fieldOf('Query', 'echo').resolve = (_source, values) => values;
fieldOf('Query', 'resolved').resolve = (_source, values, { resolve }, info) => resolve(values, info);
fieldOf('Mutation', 'step').resolve = (_source, values, { resolve }, info) => resolve(values, info);
const thing = schema.getType('Thing') as GraphQLUnionType;
thing.resolveType = (value) => (value as { type: () => string }).type();
(schema.getType('Circle') as GraphQLObjectType).isTypeOf = (value) =>
  (value as { isCircle: () => boolean }).isCircle();

export type Resolve = (values: any, info: GraphQLResolveInfo) => unknown;

export interface Case {
  readonly variables?: Record<string, unknown> | undefined;
  readonly root?: unknown;
  readonly resolve?: Resolve;
  readonly more?: Partial<ExecutionArgs>;
}

export const argsOf = (
  operation: string | DocumentNode,
  { variables, root, resolve, more }: Case = {},
): ExecutionArgs => ({
  schema,
  document: typeof operation === 'string' ? parse(operation) : operation,
  variableValues: variables,
  rootValue: root,
  contextValue: { resolve },
  ...more,
});

/** The result of both executors, which must not differ in anything observable. Each gets a new case. */
export async function answer(text: string, caseOf: () => Case = () => ({})): Promise<ExecutionResult> {
  const expected = await outcomeOf(execute, () => argsOf(text, caseOf()));
  expect(await outcomeOf(executeByPlan, () => argsOf(text, caseOf()))).toBe(expected);
  expect(expected).not.toMatch(/unhandled/);
  return JSON.parse(JSON.stringify(await executeByPlan(argsOf(text, caseOf()))));
}

/** The data of a result, which must have no errors. */
export const data = async (...values: Parameters<typeof answer>) => {
  const { data: got, errors } = await answer(...values);
  expect(errors).toBeUndefined();
  return got;
};

/** The errors of a result, each as `path: message`. */
export const errors = async (...values: Parameters<typeof answer>) =>
  (await answer(...values)).errors?.map(({ message, path }) => `${path?.join('.') ?? ''}: ${message}`);

export const fails = (message = 'broken') => {
  throw new Error(message);
};
export const label = { text: 'text' };
