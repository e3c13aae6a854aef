/**
 * Executes random operations on random data with their plans and with graphql-js. The results, and the calls and reads with
 * their order, must be equal. FOLIO_PLAN_CASES: number of executions to compare, 400 by default, 5,000 in .ci/run.
 */

import {
  type ExecutionArgs,
  execute,
  type GraphQLObjectType,
  getOperationAST,
  parse,
  validate,
} from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  everythingOutputs as outputs,
  everythingScalars as scalars,
  everything as schema,
} from '../../support/everything.ts';
import { fc } from '../../support/fast-check.ts';
import { type Mocking, mockObject } from '../../support/mock.ts';
import { executeByPlan, outcomeOf } from '../../support/outcome.ts';
import { Random } from '../../support/random.ts';
import { randomOperation } from '../../support/random-operation.ts';

const cases = Number(process.env['FOLIO_PLAN_CASES'] ?? 400);

// Stack traces would take more time than the rest.
const { stackTraceLimit } = Error;
beforeAll(() => {
  Error.stackTraceLimit = 0;
});
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
});

it('a random operation has the same outcome as in graphql-js', { timeout: 3_600_000 }, async () => {
  const seen = { executions: 0, valid: 0, failing: 0, late: 0, aborted: 0 };

  async function compare(seed: number, size: number): Promise<void> {
    const random = new Random(seed);
    const flaws = random.pick([0, 0, 0.01, 0.05]);
    const { text, variables } = randomOperation({ schema, random, scalars, size, flaws });
    const document = parse(text);
    const rootType = schema.getRootType(getOperationAST(document)?.operation as never) as GraphQLObjectType;
    const isValid = validate(schema, document).length === 0;
    // The second execution uses the plan that the first has created.
    for (const round of [1, 2]) {
      const variableValues = variables();
      const oddity = random.pick([0, 0.02, 0.08, 0.2]);
      // Below 0: the caller has left before the start.
      const abortAfter = random.chance(0.2) ? random.below(30) - 3 : Number.POSITIVE_INFINITY;
      const argsFor = (log: (event: string) => void): ExecutionArgs => {
        const controller = new AbortController();
        const leave = () => controller.abort(new Error('left'));
        if (abortAfter < 0) leave();
        let events = 0;
        const mocking: Mocking = {
          schema,
          outputs,
          oddity,
          seed: seed + round,
          log(event) {
            log(event);
            events += 1;
            if (events > abortAfter) leave();
          },
        };
        const rootValue = mockObject(rootType, 'root', mocking);
        const { signal: abortSignal } = controller;
        return { schema, document, variableValues, abortSignal, contextValue: { mocking }, rootValue };
      };
      const expected = await outcomeOf(execute, argsFor);
      const planned = await outcomeOf(executeByPlan, argsFor);
      if (planned !== expected)
        expect({ text, variableValues, planned }).toBe({ text, variableValues, planned: expected });
      seen.executions += 1;
      if (isValid) seen.valid += 1;
      if (/^\{\n +message/m.test(expected)) seen.failing += 1;
      if (/^later/.test(expected)) seen.late += 1;
      if (/^throws/.test(expected)) seen.aborted += 1;
    }
  }

  const parameters = fc.record({ seed: fc.integer(), size: fc.integer({ min: 1, max: 60 }) });
  await fc.assert(
    fc.asyncProperty(parameters, ({ seed, size }) => compare(seed, size)),
    { seed: 1_702, numRuns: cases / 2 },
  );
  // Check that the generator covers each kind of operation often enough.
  expect(seen.valid / seen.executions).toBeGreaterThan(0.5);
  expect(seen.failing / seen.executions).toBeGreaterThan(0.2);
  expect(seen.late / seen.executions).toBeGreaterThan(0.2);
  expect(seen.aborted / seen.executions).toBeGreaterThanOrEqual(0.01);
});
