/** A small schema whose operations are executed by the plan and by graphql-js. */
import {
  buildSchema,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type GraphQLResolveInfo,
  parse,
} from 'graphql';
import { expect } from 'vitest';
import { executeByPlan, outcomeOf } from './outcome.ts';

export const schema = buildSchema(/* GraphQL */ `
  interface Shape { area: Float }
  type Circle implements Shape { area: Float }
  type Label {
    text: String!
    note: String
    length(unit: String! = "mm"): Int
    inner: Label
    must: Label!
    list: [Label]
    full: [Label!]!
    shape: Shape
  }
  type Query { label: Label, number: Int, resolved(name: String): Label }
`);

const resolved = schema.getQueryType()?.getFields()['resolved'];
if (!resolved) throw new Error('no field');
resolved.resolve = (_source, values, { resolve }, info) => resolve(values, info);

export type Resolve = (values: any, info: GraphQLResolveInfo) => unknown;

interface Case {
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

/** The result of both executors, which must not differ in anything observable. */
export async function answer(text: string, root: unknown): Promise<ExecutionResult> {
  const expected = await outcomeOf(execute, () => argsOf(text, { root }));
  expect(await outcomeOf(executeByPlan, () => argsOf(text, { root }))).toBe(expected);
  expect(expected).not.toMatch(/unhandled/);
  return JSON.parse(JSON.stringify(await executeByPlan(argsOf(text, { root }))));
}

export const label = { text: 'text' };
