/** Folio's schema with a mock service, which returns any value that the types allow and sometimes others. */
import { readFileSync } from 'node:fs';
import { type GraphQLObjectType, getNamedType, isUnionType } from 'graphql';
import { readConfig } from '../../src/config/config.ts';
import { GatewayError, InvalidInputError } from '../../src/errors.ts';
import type { Context, GatewayDependencies } from '../../src/graphql/context.ts';
import { OperationSideEffect } from '../../src/graphql/operation-side-effect.ts';
import { UploadedFile } from '../../src/graphql/uploaded-file.ts';
import { schema } from '../../src/schema.ts';
import { ExactNumber } from '../../src/tools/exact-number.ts';
import type { Call } from '../../src/upstream/call/call.ts';
import { everythingOutputs, everythingScalars } from './everything.ts';
import { type Mocking, mockValue } from './mock.ts';
import { Random } from './random.ts';
import { inputs, type ScalarInputs } from './random-operation.ts';

const uuid = '8C7A5E0E-8F3E-4C59-9F53-0123456789AB';
const invoice = readFileSync('test/fixtures/fapiao.xml');

/** Can be read by both executors. */
const file: UploadedFile = Object.create(UploadedFile.prototype, {
  filename: { value: 'card.png' },
  contentType: { value: 'image/png' },
  take: {
    async *value() {
      yield invoice;
    },
  },
});

export const folioScalars: Readonly<Record<string, ScalarInputs>> = {
  ...everythingScalars,
  UUID: inputs([`"${uuid}"`], [uuid], ['"no uuid"', '1'], ['4711', 1]),
  Decimal: inputs(['"1.50"', '2', '-3.5'], ['0.10', 7], ['"one"', 'true'], [0.1 + 0.2, {}]),
  DecimalDraft: inputs(['"1.50"', '2'], ['twelve', 7], ['true'], [{}, true]),
  JSONObject: inputs(
    ['{ a: [1, "b", null] }', '{}'],
    [{ a: [1, { b: null }] }, {}],
    ['[]', '{ a: WORD }'],
    [[], 'text'],
  ),
  JSONObjectDraft: inputs(['{ a: [1, null] }'], [{ a: 0.1 + 0.2 }], ['[]', '{ a: WORD }'], [[], 'text']),
  Upload: inputs(['$'], [file], ['"file"'], ['file', {}]),
};

export const folioOutputs: Readonly<Record<string, readonly unknown[]>> = {
  ...everythingOutputs,
  String: ['text', '', 'File Name,Currency\r\nA.pdf,EUR\r\nB.pdf,\r\n'],
  UUID: [uuid],
  DateTime: [new Date(0), new Date(Date.UTC(2031, 3, 9))],
  Date: ['2031-04-09'],
  Decimal: [ExactNumber.parse('1436.50')],
  JSONObject: [{ a: 1 }, {}],
};

const { limits, assumptions } = readConfig({});
const dependencies: GatewayDependencies = {
  limits: { ...limits, maxOperationDepth: 8 },
  assumptions,
  ledger: { find: async () => undefined, runOnce: (_request, write) => write() },
  watches: {
    of: () => ({
      subscribe: () => () => {},
      refused() {},
      observed: (_lane, value) => value,
      size: 0,
      close() {},
    }),
  },
};

/** The type of a root field's success; the endpoint has the same name. */
function mediaTypeFor(operation: string): GraphQLObjectType {
  const fields = { ...schema.getQueryType()?.getFields(), ...schema.getMutationType()?.getFields() };
  const type = getNamedType(fields[operation]?.type);
  const types = isUnionType(type) ? type.getTypes() : [type as GraphQLObjectType];
  return types.find(({ name }) => name !== 'InvalidInput') as GraphQLObjectType;
}

export function folioContext(mocking: Mocking): Context & { readonly mocking: Mocking } {
  let calls = 0;
  const call = async ({ endpoint: { operation }, parameters, body }: Call<unknown>): Promise<unknown> => {
    const place = `${operation}#${calls++}`;
    mocking.log(`calls ${place} ${JSON.stringify(parameters)} ${typeof body === 'string' ? body : ''}`);
    const random = new Random(mocking.seed, place, 'failure');
    if (random.chance(mocking.oddity)) throw failure(random);
    return mockValue(mediaTypeFor(operation), place, mocking);
  };
  return {
    mocking,
    sideEffect: new OperationSideEffect(),
    turnForPart: () => undefined,
    addError() {},
    resultSize: undefined,
    holdResult: undefined,
    holdForWrite: () => () => {},
    holdBuilt: () => () => {},
    onEnd() {},
    cache: new Map(),
    ...dependencies,
    caller: {
      credentials: {},
      lane: 'lane',
      requestId: 'request',
      signal: new AbortController().signal,
    } as unknown as Context['caller'],
    upstream: { call: call as Context['upstream']['call'] },
  };
}

function failure(random: Random): Error {
  if (random.chance(0.3)) {
    const problem = { rule: 'odd', severity: 'ERROR', path: ['input'], message: 'Odd.' } as const;
    return new InvalidInputError('Refused.', [problem]);
  }
  const code = random.pick(['NOT_FOUND', 'FORBIDDEN', 'UPSTREAM_TIMEOUT'] as const);
  return new GatewayError({
    code,
    message: 'Failed.',
    upstream: { operation: 'odd', status: 404, requestId: 'request-1' },
  });
}
