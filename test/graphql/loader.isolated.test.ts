/** The values of one operation: each is loaded once, and returned without waiting for the others. */
import { setImmediate } from 'node:timers/promises';
import type { GraphQLResolveInfo } from 'graphql';
import { expect, it } from 'vitest';
import { mexicoValidationEndpoint } from '../../src/features/mexico/mexico.api.ts';
import type { Context } from '../../src/graphql/context.ts';
import { createLoader } from '../../src/graphql/loader.ts';
import { schema } from '../../src/schema.ts';
import { heapBytes } from '../support/heap.ts';

const aContext = () => ({ cache: undefined }) as Context;

it('the keys that an operation requests at once are loaded together, each once', async () => {
  const batches: (readonly string[])[] = [];
  const load = createLoader(mexicoValidationEndpoint, (keys) => {
    batches.push(keys);
    return keys.map(async (key) => `value of ${key}`);
  });
  const [one, other] = [aContext(), aContext()];
  const values = await Promise.all([load('1', one), load('2', one), load('1', one), load('1', other)]);
  expect(values).toEqual(['value of 1', 'value of 2', 'value of 1', 'value of 1']);
  expect(batches).toEqual([['1', '2'], ['1']]);
});

it('a value that fails to load fails alone, and all do when the calls cannot be made', async () => {
  const failing = createLoader(mexicoValidationEndpoint, (keys) =>
    keys.map(async (key) => {
      if (key === '2') throw new Error('not found');
      return key;
    }),
  );
  const context = aContext();
  const results = await Promise.allSettled([failing('1', context), failing('2', context)]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  const broken = createLoader(mexicoValidationEndpoint, () => {
    throw new Error('a bug');
  });
  await expect(broken('1', aContext())).rejects.toThrow('a bug');
});

/** What an operation holds (bytes) that has loaded 50 values of 10,000 objects with `load` and waits for another one. */
async function heldWith(load: (key: string) => Promise<unknown>, waiting: () => unknown): Promise<number> {
  const before = await heapBytes();
  const waits = waiting();
  const lengths = Array.from(
    { length: 50 },
    async (_, key) => ((await load(String(key))) as unknown[]).length,
  );
  expect(await Promise.all(lengths)).toEqual(Array(50).fill(10_000));
  await setImmediate();
  const held = (await heapBytes()) - before;
  expect(waits).toBeDefined();
  return held;
}

const objects = () => Promise.resolve(Array.from({ length: 10_000 }, () => ({})));
/** What waits for it is held with it. */
const never = new Promise<object[]>(() => {});

it('an operation that waits for one value keeps none of the others', async () => {
  const load = createLoader(mexicoValidationEndpoint, (keys) =>
    keys.map((key) => (key === 'slow' ? never : objects())),
  );
  const context = aContext();
  const held = await heldWith(
    (key) => load(key, context),
    () => load('slow', context),
  );
  expect(held).toBeLessThan(5_000_000);
});

it('an operation that waits for one spelling of a UUID keeps none of the other validations', async () => {
  const uuid = '0000000a-0000-0000-0000-000000000000';
  const call = ({ parameters }: { parameters: object }) =>
    Object.values(parameters).includes(uuid) ? never : objects();
  const context = { ...aContext(), upstream: { call } } as unknown as Context;
  const { resolve } = schema.getQueryType()?.getFields()['mexicoValidation'] ?? {};
  const load = async (by: object) => await resolve?.({}, { by }, context, {} as GraphQLResolveInfo);
  const held = await heldWith(
    (documentId) => load({ documentId }),
    () => [load({ uuid }), load({ uuid: uuid.toUpperCase() })],
  );
  expect(held).toBeLessThan(5_000_000);
});
