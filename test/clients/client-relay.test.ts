/** The recipe for Relay, with the artifacts that relay-compiler wrote from `relay/operations.js`. */
import {
  type ConcreteRequest,
  commitMutation,
  createOperationDescriptor,
  type Environment,
  fetchQuery,
  type GraphQLTaggedNode,
  getRequest,
  requestSubscription,
} from 'relay-runtime';
import { beforeEach, expect, it } from 'vitest';
import { hasKeyForEveryWrite } from '../../packages/client/src/idempotency-keys.ts';
import { writesDocumentOf } from '../../packages/client/src/relay/writes-document.ts';
import { createEnvironment, OperationError } from '../../packages/client/src/relay.ts';
import { createSession } from '../../packages/client/src/session.ts';
import { quickPolls, startTestGateway, withKey } from '../support/gateway.ts';
import { forFile, forTest } from '../support/lifetimes.ts';
import { anImport } from '../support/recipe-clients.ts';
import { type Relay, type RelayedRequest, startRelay } from '../support/relay.ts';
import { controlSandbox, forgetSandboxCalls, sandboxCalls } from '../support/sandbox-controls.ts';
import { startService } from '../support/service.ts';
import scan from './relay/__generated__/operationsScanMutation.graphql.js';
import validation from './relay/__generated__/operationsValidationQuery.graphql.js';
import watch from './relay/__generated__/operationsWatchSubscription.graphql.js';

const gateway = forFile(
  await startTestGateway({
    PERSISTED_OPERATIONS: 'test/clients/relay/persisted-documents.json',
    PERSISTED_OPERATIONS_ONLY: 'report',
    ...quickPolls,
  }),
);
let relay: Relay;
let environment: Environment;
beforeEach(async () => {
  relay = forTest(await startRelay(gateway.url));
  environment = createEnvironment(relay.url, createSession('rosa-key-1', 'rosa-token-1'));
});

const query = (document: GraphQLTaggedNode, variables: object) =>
  fetchQuery<any>(environment, document, variables).toPromise();
const mutate = (mutation: GraphQLTaggedNode, input: object) =>
  new Promise<any>((onCompleted, onError) => {
    commitMutation<any>(environment, { mutation, variables: { input }, onCompleted, onError });
  });
const stored = (document: GraphQLTaggedNode, variables: object) =>
  environment.lookup(createOperationDescriptor(getRequest(document), variables).fragment).data as any;

async function importOne(docNumber: string): Promise<string> {
  const { data } = await gateway.ask(
    'mutation ($i: ImportMalaysiaInvoiceInput!) { importMalaysiaInvoice(input: $i) { ... on MalaysiaImport { documentId } } }',
    { i: anImport(docNumber) },
    { ...withKey('rosa-key-1'), authorization: 'Bearer rosa-token-1' },
  );
  return data.importMalaysiaInvoice.documentId;
}

it('sends the hash of a query without a text, and stores its result', async () => {
  const variables = { by: { documentId: '1001' } };
  expect(await query(validation, variables)).toMatchObject({ mexicoValidation: { result: 'VALID' } });
  expect(stored(validation, variables)).toMatchObject({ mexicoValidation: { result: 'VALID' } });
  const [{ body }] = relay.requests as [RelayedRequest];
  expect(JSON.parse(body)).toEqual({
    variables,
    extensions: { persistedQuery: { version: 1, sha256Hash: expect.stringMatching(/^[\da-f]{64}$/) } },
  });
});

it('rejects a query that failed, and stores no null for it', async () => {
  const variables = { by: { documentId: '1002' } };
  await controlSandbox(gateway, 'faults', { endpoint: 'mexicoStatus', fault: 'status-403' });
  const failed = await query(validation, variables).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(OperationError);
  expect((failed as OperationError).errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  expect(stored(validation, variables).mexicoValidation).toBeUndefined();
});

it('stores the null of a document that was never validated', async () => {
  const variables = { by: { documentId: '1999' } };
  expect(await query(validation, variables)).toEqual({ mexicoValidation: null });
  expect(stored(validation, variables).mexicoValidation).toBeNull();
});

const aFile = () => ({ file: new File(['a picture'], 'card.png', { type: 'image/png' }), queueId: '7' });

it('returns the problems of a mutation that was refused', async () => {
  await controlSandbox(gateway, 'faults', { endpoint: 'scan', fault: 'status-422' });
  expect(await mutate(scan, aFile())).toMatchObject({
    scanIdentityCard: { __typename: 'InvalidInput', problems: [{ rule: 'refused-by-service' }] },
  });
});

it('does not repeat a write that may have been done', async () => {
  relay.loseResponses(1);
  await expect(mutate(scan, aFile())).rejects.toThrow();
  expect(relay.requests).toHaveLength(1);
});

it('repeats a write with a key whose response was lost, and it is done once', async () => {
  await forgetSandboxCalls(gateway);
  relay.loseResponses(1);
  const input = { ...aFile(), idempotencyKey: crypto.randomUUID() };
  expect(await mutate(scan, input)).toMatchObject({ scanIdentityCard: { __typename: 'ScanResult' } });
  expect(relay.requests).toHaveLength(2);
  expect((await sandboxCalls(gateway)).filter(({ file }) => file)).toHaveLength(1);
});

const inputs: [string, object, boolean][] = [
  ['a key in a variable', { kind: 'Variable', variableName: 'key' }, true],
  ['a key in its text', { kind: 'Literal', value: 'order-4711' }, true],
  ['null instead of a key', { kind: 'Literal', value: null }, false],
  ['a variable without a value', { kind: 'Variable', variableName: 'none' }, false],
];
it.each(inputs)('reads of an operation with %s whether it may be repeated', (_title, key, mayRepeat) => {
  const fields = [{ ...key, name: 'idempotencyKey' }];
  const field = (name: string, input: object) => ({
    kind: 'LinkedField',
    name,
    args: [{ ...input, name: 'input' }],
  });
  const requestOf = (...selections: object[]) =>
    ({ operation: { selections } }) as unknown as ConcreteRequest;
  const mayRepeatOf = (...selections: object[]) =>
    hasKeyForEveryWrite(writesDocumentOf(requestOf(...selections)), { key: 'order-4712' });
  const input = { kind: 'ObjectValue', fields };
  const list = { kind: 'ListValue', items: [input] };
  const write = field('createGroup', input);
  expect(mayRepeatOf(write, { kind: 'ScalarField', name: '__typename' })).toBe(mayRepeat);
  expect(mayRepeatOf(field('importMalaysiaInvoices', list))).toBe(mayRepeat);
  expect(mayRepeatOf(write, { kind: 'Condition', selections: [write] })).toBe(false);
  expect(mayRepeatOf(write, { kind: 'LinkedField', name: 'createGroup', args: null })).toBe(false);
});

it('aborts the request of a query that nobody waits for any more, and sends it no second time', async () => {
  const service = forTest(await startService(() => {}));
  const aborted = service.aborted();
  environment = createEnvironment(service.url, createSession('rosa-key-1', 'rosa-token-1'));
  const query = fetchQuery<any>(environment, validation, { by: { documentId: '1001' } });
  const reported: unknown[] = [];
  const { unsubscribe } = query.subscribe({ error: (error: unknown) => reported.push(error) });
  await expect.poll(() => service.received).toHaveLength(1);
  unsubscribe();
  await aborted;
  expect(reported).toEqual([]);
  expect(service.received).toHaveLength(1);
});

it('stores the status of each watched document, and none for a document that cannot be watched', async () => {
  const documentId = await importOne('INV-90');
  const events: unknown[] = [];
  const storedStates = () =>
    Object.entries<any>(environment.getStore().getSource().toJSON()).flatMap(([id, record]) =>
      id.startsWith('MalaysiaStatus:') ? record.state : [],
    );
  await new Promise<void>((onCompleted, onError) => {
    requestSubscription<any>(environment, {
      subscription: watch,
      variables: { documentIds: [documentId, '../unknown'] },
      onNext({ malaysiaStatusesChanged: { problem, ...status } }) {
        if (events.length === 0) void controlSandbox(gateway, 'clock', { advanceMs: 60_000 });
        events.push(problem ? problem.code : [status.state, ...storedStates()]);
      },
      onCompleted,
      onError,
    });
  });
  expect(events).toEqual(expect.arrayContaining(['BAD_USER_INPUT', ['VALIDATED', 'VALIDATED']]));
  expect(storedStates()).toEqual(['VALIDATED']);
  expect(relay.sockets[0]?.find(({ type }) => type === 'subscribe')?.payload.query).toBe('');
});

it('reports why the gateway refused a subscription', async () => {
  const params = { ...watch.params, id: 'f'.repeat(64) };
  const refused = await new Promise((onError) => {
    const subscription = { ...watch, params } as ConcreteRequest;
    requestSubscription<any>(environment, { subscription, variables: { documentIds: ['1'] }, onError });
  });
  expect(refused).toBeInstanceOf(OperationError);
  expect(refused).toMatchObject({ errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] });
});
