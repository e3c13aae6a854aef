/** The values of one operation: each is loaded once, and returned without waiting for the others. */
import { expect, it } from 'vitest';
import { mexicoValidationEndpoint } from '../../src/features/mexico/mexico.api.ts';
import type { Context } from '../../src/graphql/context.ts';
import { createLoader } from '../../src/graphql/loader.ts';

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
