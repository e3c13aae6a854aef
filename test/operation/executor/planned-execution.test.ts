/** What random operations (plan-random.test.ts) do not reach in a planned execution. */
import { tracingChannel } from 'node:diagnostics_channel';
import {
  buildSchema,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type GraphQLResolveInfo,
  parse,
  type ValidatedExecutionArgs,
  validateExecutionArgs,
} from 'graphql';
import { describe, expect, it, vi } from 'vitest';
import { LimitedExecutor } from '../../../src/operation/executor/limited-executor.ts';
import { executePlanned } from '../../../src/operation/executor/planned-executor.ts';
import type { ResultLimit } from '../../../src/operation/result-limit.ts';
import { type Execute, executeByPlan, outcomeOf } from '../../support/outcome.ts';

const schema = buildSchema(/* GraphQL */ `
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

type Resolve = (values: any, info: GraphQLResolveInfo) => unknown;

interface Case {
  readonly variables?: Record<string, unknown> | undefined;
  readonly root?: unknown;
  readonly resolve?: Resolve;
  readonly more?: Partial<ExecutionArgs>;
}

const argsOf = (
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

const label = { text: 'text' };

describe('a resolver of a planned execution', () => {
  it('receives the same info as in graphql-js', async () => {
    const text = `query Q($n: String) { a: resolved(name: $n) { list { inner { ...F } } } ...G }
      fragment F on Label { length }
      fragment G on Query { a: resolved(name: $n) { text } }`;
    const document = parse(text);
    const root = { is: 'root' };
    const infoOf = async (run: Execute) => {
      const infos: GraphQLResolveInfo[] = [];
      const length = (_values: unknown, _context: unknown, info: GraphQLResolveInfo) => infos.push(info);
      const resolve: Resolve = (_values, info) => {
        infos.push(info);
        return { ...label, list: [{ inner: { length } }] };
      };
      await run(argsOf(document, { resolve, variables: { n: 'x' }, root }));
      return infos;
    };
    const [expected, planned] = [await infoOf(execute), await infoOf(executeByPlan)];
    const functions = { getAbortSignal: expect.any(Function), getAsyncHelpers: expect.any(Function) };
    expect(planned).toEqual(expected.map((info) => ({ ...info, ...functions })));
    expect(planned.map(({ path }) => path.typename)).toEqual(['Query', 'Label']);
    for (const info of planned)
      expect(await info.getAsyncHelpers().promiseAll([1, Promise.resolve(2)])).toEqual([1, 2]);
  });

  it('receives the same arguments for each member of a list, and others in the next execution', () => {
    const document = parse('query ($by: Int) { members { plus(by: $by) } }');
    const received: unknown[] = [];
    const member = { plus: (values: { by: number }) => received.push(values) };
    const run = (by: number) =>
      executePlanned(
        validateExecutionArgs({
          schema: buildSchema('type Query { members: [Member] } type Member { plus(by: Int): Int }'),
          document,
          rootValue: { members: [member, member, member] },
          variableValues: { by },
        }) as ValidatedExecutionArgs,
      );
    expect([run(1), run(2)].map((result) => (result as ExecutionResult).errors)).toEqual([
      undefined,
      undefined,
    ]);
    expect(received).toEqual([1, 1, 1, 2, 2, 2].map((by) => ({ by })));
    expect(new Set(received).size).toBe(2);
  });

  it.each([
    ['the operation ended', false],
    ['the caller disconnected', true],
  ])('has a signal that is aborted when %s, also when it is first read afterwards', async (_when, leaves) => {
    const signalsOf = async (run: Execute, isReadEarly: boolean) => {
      const controller = new AbortController();
      const asked: (AbortSignal | undefined)[] = [];
      let askLater = () => undefined as AbortSignal | undefined;
      const resolve: Resolve = async (_values, info) => {
        askLater = info.getAbortSignal;
        await null;
        if (isReadEarly) asked.push(info.getAbortSignal(), info.getAbortSignal());
        if (leaves) controller.abort('left');
        return label;
      };
      const args = argsOf('{ resolved { text } }', { resolve, more: { abortSignal: controller.signal } });
      await Promise.resolve(run(args)).catch(() => {});
      await new Promise(setImmediate);
      asked.push(askLater());
      return asked.map((signal) => `${signal === asked[0]} ${signal?.aborted} ${signal?.reason}`);
    };
    for (const isReadEarly of [true, false]) {
      const signals = await signalsOf(executeByPlan, isReadEarly);
      expect(signals).toEqual(await signalsOf(execute, isReadEarly));
      expect(signals[0]).toMatch(leaves ? /^true true left/ : /^true true AbortError/);
    }
  });
});

/** Expects the same of both executors in everything observable. Returns it. */
async function compare(text: string, root: unknown): Promise<string> {
  const expected = await outcomeOf(execute, () => argsOf(text, { root }));
  expect(await outcomeOf(executeByPlan, () => argsOf(text, { root }))).toBe(expected);
  return expected;
}

it.each([
  [undefined],
  [null],
  ['text'],
  [5],
  [Object.assign(() => {}, { number: 1, note: () => 'of a method' })],
])('a field of any value is what it is in graphql-js: %s', async (source) => {
  await compare('{ number }', source);
  await compare('{ label { note } }', { label: source });
});

it('no member of a list that fails leaves a rejection without a handler', async () => {
  const fails = () => Promise.reject(new Error('fails later'));
  const full = () => [{ text: fails }, null, fails()];
  expect(await compare('{ label { full { text } } }', { label: { full } })).not.toContain('unhandled');
});

it.each([
  '{ number }',
  '{ __typename label { __typename text note shape { __typename area } list { text } } }',
  '{ label { list { __typename ...F } } } fragment F on Label { a: text b: note }',
])('a result counts as many bytes with a plan as without one: %s', (text) => {
  const root = {
    number: 1,
    label: { ...label, shape: { __typename: 'Circle', area: 2 }, list: [label, null] },
  };
  const args = validateExecutionArgs(argsOf(text, { root })) as ValidatedExecutionArgs;
  const bytesOf = (execution: (limit: ResultLimit) => unknown) => {
    let [tooFew, enough] = [-1, 1_000];
    while (enough - tooFew > 1) {
      const maxBytes = Math.trunc((tooFew + enough) / 2);
      const { errors } = execution({ maxValues: 100, maxBytes }) as ExecutionResult;
      [tooFew, enough] = errors ? [maxBytes, enough] : [tooFew, maxBytes];
    }
    return enough;
  };
  const unplanned = (limit: ResultLimit) => new LimitedExecutor(args, limit).executeRootSelectionSet();
  expect(bytesOf((limit) => executePlanned(args, limit))).toBe(bytesOf(unplanned));
});

it('a list of 50 objects or more is refused before the first is built when they exceed the limit of a result', () => {
  const execution = (length: number, maxValues: number) => {
    let built = 0;
    const member = {
      get text() {
        built += 1;
        return 'text';
      },
    };
    const root = { label: { full: Array(length).fill(member) } };
    const args = validateExecutionArgs(argsOf('{ label { full { text } } }', { root }));
    const { errors } = executePlanned(args as ValidatedExecutionArgs, {
      maxValues,
      maxBytes: 1_000_000,
    }) as ExecutionResult;
    return { built, isRefused: errors !== undefined };
  };
  // Two fields, and each member with its field.
  expect(execution(50, 102)).toEqual({ built: 50, isRefused: false });
  expect(execution(50, 101)).toEqual({ built: 0, isRefused: true });
  expect(execution(49, 99)).toEqual({ built: 48, isRefused: true });
});

describe('the plan of an operation', () => {
  const document = parse(
    'query ($a: Boolean!, $b: Boolean!, $c: Boolean!) { number @skip(if: $a) label @include(if: $b) { text inner { note @skip(if: $c) } } }',
  );
  const root = { number: 1, label: { ...label, inner: label } };
  const executed = (bits: number) => {
    const variables = { a: (bits & 1) > 0, b: (bits & 2) > 0, c: (bits & 4) > 0 };
    return { ...executeByPlan(argsOf(document, { root, variables })) };
  };

  it('is kept for the last four combinations of its conditions, and others are correct too', () => {
    const getField = vi.spyOn(schema, 'getField');
    const plannedFor = (bits: number) => {
      getField.mockClear();
      const result = executed(bits);
      expect(result).toEqual({
        data: {
          ...(bits & 1 ? {} : { number: 1 }),
          ...(bits & 2 ? { label: { text: 'text', inner: bits & 4 ? {} : { note: null } } } : {}),
        },
      });
      return getField.mock.calls.length > 0;
    };
    expect([0, 3, 6, 7, 0, 3, 6, 7].map(plannedFor)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect([2, 0, 2, 0].map(plannedFor)).toEqual([true, true, false, false]);
    getField.mockRestore();
  });

  it.each([
    'query ($a: Boolean = true) { label { text @skip(if: $a) note } }',
    'query ($a: Boolean = true) { label { full { text @skip(if: $a) note } } }',
  ])('is that of graphql-js in every execution in which a condition is null: %s', async (text) => {
    const document = parse(text);
    const root = { label: { ...label, full: Array(50).fill(label) } };
    for (const a of [false, null, true, null, undefined]) {
      const args = () => argsOf(document, { root, variables: { a } });
      const outcome = await outcomeOf(executeByPlan, args);
      expect(outcome).toBe(await outcomeOf(execute, args));
      expect(outcome.includes('Argument "@skip(if:)" has invalid value')).toBe(a === null);
    }
  });
});

it('an execution without a plan is used while resolvers are traced', () => {
  const fields: string[] = [];
  const onStart = (message: unknown) => void fields.push((message as { fieldName: string }).fieldName);
  const channel = tracingChannel('graphql:resolve');
  const subscribers = { start: onStart } as unknown as Parameters<typeof channel.subscribe>[0];
  channel.subscribe(subscribers);
  executeByPlan(argsOf('{ label { text } }', { root: { label } }));
  channel.unsubscribe(subscribers);
  executeByPlan(argsOf('{ label { note } }', { root: { label } }));
  expect(fields).toEqual(['label', 'text']);
});

it('like graphql-js, the executor resolves what is due before its end, even in a part of the result that is null', async () => {
  const text = '{ label { must { text } inner { note } } }';
  const root = (steps: number, log: (event: string) => void) => ({
    label: {
      must: () => Promise.reject(new Error('fails')),
      async inner() {
        for (let step = 0; step < steps; step += 1) await undefined;
        return { note: () => log('resolved') };
      },
    },
  });
  const outcomes: string[] = [];
  for (let steps = 0; steps < 12; steps += 1) {
    const argsFor = (log: (event: string) => void) => argsOf(text, { root: root(steps, log) });
    outcomes.push(await outcomeOf(executeByPlan, argsFor));
    expect(outcomes.at(-1), `${steps} steps`).toBe(await outcomeOf(execute, argsFor));
  }
  expect(outcomes.filter((outcome) => outcome.endsWith('resolved')).length).toBeGreaterThan(1);
  expect(outcomes.at(-1)).not.toMatch(/resolved$/);
});
