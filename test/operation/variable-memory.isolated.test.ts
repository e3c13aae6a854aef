/** What the variables of an operation really hold. */
import { getVariableValues, type OperationDefinitionNode, parse } from 'graphql';
import { expect, it } from 'vitest';
import { boundedMemoryOf } from '../../src/operation/variable-memory.ts';
import { schema } from '../../src/schema.ts';
import { heapBytes } from '../support/heap.ts';

it('thousands of empty input objects, each with a coerced copy, hold little more than is counted', async () => {
  const query =
    'query ($i: MalaysiaInvoiceDraftInput!) { checkMalaysiaInvoiceDraft(invoice: $i) { isValid } }';
  const { variableDefinitions = [] } = parse(query).definitions[0] as OperationDefinitionNode;
  const json = JSON.stringify({ i: { lines: Array(4_900).fill({}) } });
  const held: object[] = [];
  const hold = () => {
    const variables = JSON.parse(json);
    held.push(variables, getVariableValues(schema, variableDefinitions, variables));
    return boundedMemoryOf(variables);
  };
  hold();
  const before = await heapBytes();
  let counted = 0;
  for (let copies = 0; copies < 8; copies += 1) counted += hold();
  expect((await heapBytes()) - before).toBeLessThan(1.2 * counted);
  expect(held).toHaveLength(18);
});
