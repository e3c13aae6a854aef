/** Mock objects and resolvers with every kind of result and failure. The same seed gives the same mocks; calls are logged. */
import { inspect } from 'node:util';
import {
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLIsTypeOfFn,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type GraphQLTypeResolver,
  getNullableType,
  isAbstractType,
  isEnumType,
  isListType,
  isObjectType,
  responsePathAsArray,
} from 'graphql';
import { Random } from './random.ts';

/** Shared by all mocks of one execution. */
export interface Mocking {
  readonly schema: GraphQLSchema;
  readonly seed: number;
  /** Probability (0 to 1) that a value is odd: absent, of a wrong type, late or an error. */
  readonly oddity: number;
  /** Values of each scalar, some of them odd. */
  readonly outputs: Readonly<Record<string, readonly unknown[]>>;
  /** Called with everything that an executor calls or reads. */
  readonly log: (event: string) => void;
}

type Source = { readonly seed: string };
type Context = { readonly mocking?: Mocking };

/** Probability that a value is a promise. */
const lateness = 0.1;

/** An object that creates its properties when they are read, with the same value each time. */
export function mockObject(type: GraphQLObjectType, seed: string, mocking: Mocking): object {
  const methods = Object.values(type.getFields()).map(({ name, type: fieldType, args }) => {
    const random = new Random(mocking.seed, seed, name);
    const isMethod = args.length > 0 || random.chance(0.1);
    return [
      name,
      {
        get(this: unknown) {
          mocking.log(`reads ${seed}.${name}`);
          if (!isMethod) return mockValue(fieldType, `${seed}.${name}`, mocking);
          return function (this: Source, values: unknown, context: Context, info: GraphQLResolveInfo) {
            const isSameContext = context.mocking === mocking;
            mocking.log(`calls ${describeCall(values, info)} of ${this.seed} ${isSameContext}`);
            return mockValue(fieldType, `${seed}.${name}`, mocking);
          };
        },
      },
    ] as const;
  });
  const prototype = Object.defineProperties({}, Object.fromEntries(methods));
  const isNamed = new Random(mocking.seed, seed, '__typename').chance(0.5);
  return Object.assign(
    Object.create(prototype),
    { typename: type.name, seed },
    isNamed && { __typename: type.name },
  );
}

/** A resolver of a field that its source object does not have. */
export function mockResolver(): GraphQLFieldResolver<unknown, { readonly mocking: Mocking }> {
  return (_source, values, { mocking }, info) => {
    mocking.log(`resolves ${describeCall(values, info)}`);
    const place = responsePathAsArray(info.path).join('.');
    return mockValue(info.returnType, place, mocking);
  };
}

/** Returns the type of the mock, sometimes another one, immediately or as a promise. */
export function mockTypeResolver(): GraphQLTypeResolver<unknown, { readonly mocking: Mocking }> {
  return (value, { mocking }, info, type) => {
    mocking.log(`asks ${type} at ${responsePathAsArray(info.path).join('.')}`);
    const { typename, seed } = value as { typename?: string; seed?: string };
    const random = new Random(mocking.seed, seed ?? '', 'type');
    const others = [typename, null, 'NoSuchType', 'Query', String(type), 4];
    if (random.chance(mocking.oddity)) return odd(random, () => random.pick(others)) as string;
    return random.chance(lateness) ? (late(random, () => typename) as Promise<string>) : typename;
  };
}

export function mockIsTypeOf(name: string): GraphQLIsTypeOfFn<unknown, { readonly mocking: Mocking }> {
  return (value, { mocking }, info) => {
    mocking.log(`checks ${name} at ${responsePathAsArray(info.path).join('.')}`);
    const { typename, seed } = value as { typename?: string; seed?: string };
    const random = new Random(mocking.seed, seed ?? '', name);
    const isOfType = typename === name;
    if (random.chance(mocking.oddity)) return odd(random, () => random.chance(0.7) === isOfType) as boolean;
    return random.chance(lateness) ? (late(random, () => isOfType) as Promise<boolean>) : isOfType;
  };
}

export function mockValue(type: GraphQLOutputType, seed: string, mocking: Mocking): unknown {
  const random = new Random(mocking.seed, seed);
  const make = () => soundValue(getNullableType(type), seed, random, mocking);
  if (random.chance(mocking.oddity)) return odd(random, make);
  return random.chance(lateness) ? late(random, make) : make();
}

function odd(random: Random, make: () => unknown): unknown {
  switch (random.below(16)) {
    case 0:
      throw new Error('thrown');
    case 1:
      throw new GraphQLError('thrown', { extensions: { code: 'ODD' } });
    case 2:
      throw random.pick(['a text', undefined, { message: 'no error' }]);
    case 3:
      return Object.assign(new Error('returned'), random.chance(0.3) && { path: ['else', 'where'] });
    case 4:
      return late(random, () => {
        throw new Error('rejected');
      });
    case 5:
      return late(random, () => new Error('resolved to'));
    case 6:
      return late(random, () => random.pick([null, undefined, {}, Symbol.for('odd')]));
    case 7:
      return {
        // biome-ignore lint/suspicious/noThenProperty: not every promise is a Promise.
        then(resolve: (value: unknown) => void) {
          resolve(make());
        },
      };
    case 8:
      return null;
    case 9:
      return undefined;
    case 10:
      return random.pick([{}, [], 'odd', Number.NaN, Symbol.for('odd'), 0n, true, 1.5, 3, 10]);
    case 11:
      return () => make();
    default:
      return late(random, make);
  }
}

/** After some turns of the microtask queue. */
function late(random: Random, make: () => unknown): Promise<unknown> {
  let promise: Promise<unknown> = Promise.resolve();
  for (let turns = random.below(5); turns > 0; turns--) promise = promise.then(() => undefined);
  return promise.then(make);
}

function soundValue(type: GraphQLOutputType, seed: string, random: Random, mocking: Mocking): unknown {
  if (isListType(type)) {
    // The executor checks a list of 50 objects or more before their fields.
    const items = Array.from(
      { length: random.chance(0.02) ? 50 : random.below(4) },
      (_, index) => () => mockItem(type.ofType, `${seed}.${index}`, mocking),
    );
    return random.chance(0.7) ? items.map((item) => item()) : iterable(random, items);
  }
  if (isAbstractType(type)) {
    return mockObject(random.pick(mocking.schema.getPossibleTypes(type)), seed, mocking);
  }
  if (isObjectType(type)) return mockObject(type, seed, mocking);
  if (isEnumType(type)) return random.pick(type.getValues()).value;
  const outputs = mocking.outputs[String(type)];
  if (!outputs) throw new Error(`no outputs for ${type}`);
  return random.pick(outputs);
}

/** A member of a list. An error that a value would throw is returned as the member. */
function mockItem(type: GraphQLOutputType, seed: string, mocking: Mocking): unknown {
  try {
    return mockValue(type, seed, mocking);
  } catch (error) {
    return error instanceof Error ? error : new Error('thrown');
  }
}

function iterable(random: Random, items: readonly (() => unknown)[]): unknown {
  const failsAt = random.chance(0.2) ? random.below(items.length + 1) : Number.POSITIVE_INFINITY;
  const kind = random.below(4);
  if (kind === 0) return new Set(items.map((item) => item()));
  if (kind === 1) return later();
  if (kind === 3) return now();
  const list = items.map((item) => item());
  return Object.assign(list, { [Symbol.iterator]: now });

  function* now() {
    for (const [index, item] of items.entries()) {
      if (index === failsAt) throw new Error('iterates no further');
      yield item();
    }
  }
  async function* later() {
    yield* now();
  }
}

function describeCall(values: unknown, info: GraphQLResolveInfo): string {
  const { fieldName, fieldNodes, parentType, path, returnType, operation, variableValues } = info;
  const nodes = fieldNodes.map(({ loc }) => loc?.start).join();
  return [
    responsePathAsArray(path).join('.'),
    `${parentType}.${fieldName}: ${returnType}`,
    `${path.typename} ${path.prev?.typename} nodes ${nodes} of ${operation.loc?.start}`,
    inspect(values, { depth: 9 }),
    inspect(variableValues.coerced, { depth: 9 }),
  ].join(' ');
}
