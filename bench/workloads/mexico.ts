/** W1, W2 and W9: reads of Mexican validations. */
import { documentCount, firstDocumentId } from '../upstream/answers.ts';
import { type HttpWorkload, jsonRequests } from './workload.ts';

const selection = `{
    documentId
    uuid
    result
    rawResult
    validatedAt
    invalidReason
    steps {
      name
      key
      result
      rawResult
      detail
    }
  }`;

const oneQuery = `query MexicoValidation($by: MexicoValidationReference!) {
  mexicoValidation(by: $by) ${selection}
}`;

/** Far from its neighbours in the order of requests: no two under way are alike. */
const documentIds = Array.from({ length: documentCount }, (_, index) =>
  String(firstDocumentId + ((index * 7_919) % documentCount)),
);

const oneValidation = jsonRequests(
  documentIds.map((documentId) => ({ query: oneQuery, variables: { by: { documentId } } })),
);

const everyPeer = ['gateway', 'mercurius', 'yoga', 'apollo', 'hive', 'tailcall'];

export const w1: HttpWorkload = {
  name: 'W1',
  title: 'one `mexicoValidation` with its full selection, over 10,000 ids',
  requests: oneValidation,
  contenders: everyPeer,
  connections: 32,
  goals: [
    { name: 'G1', factor: 1, of: 'limit' },
    { name: 'G1', factor: 0.7, of: 'mercurius' },
    { name: 'G1', factor: 0.15, of: 'apollo' },
    { name: 'G1', factor: 1.2, of: 'tailcall' },
  ],
};

const distinct = 10;
const names = Array.from({ length: distinct }, (_, index) => `id${index}`);
const twentyQuery = `query Twenty(${names.map((name) => `$${name}: ID!`).join(', ')}) {
  ${Array.from({ length: 2 * distinct }, (_, index) => `v${index}: mexicoValidation(by: { documentId: $id${index % distinct} }) { ...Validation }`).join('\n  ')}
}
fragment Validation on MexicoValidation ${selection}`;

const twentyValidations = jsonRequests(
  Array.from({ length: documentCount / distinct }, (_, request) => ({
    query: twentyQuery,
    variables: Object.fromEntries(
      names.map((name, index) => [name, documentIds[request * distinct + index]]),
    ),
  })),
);

export const w2: HttpWorkload = {
  name: 'W2',
  title: 'one query of 20 aliases with 10 distinct ids',
  requests: twentyValidations,
  contenders: everyPeer,
  connections: 16,
  calls: { contenders: ['gateway', 'mercurius', 'apollo'], count: distinct },
  goals: [
    { name: 'G2', factor: 0.6, of: 'limit' },
    { name: 'G2', factor: 0.55, of: 'tailcall' },
  ],
};

export const w9: HttpWorkload = {
  name: 'W9',
  title: 'latency of W1 behind a service that waits 20 ms',
  requests: oneValidation,
  contenders: everyPeer,
  connections: 32,
  delayMs: 20,
  warmupSeconds: 5,
  judgedBy: 'p99',
  goals: [{ name: 'G9', factor: 1.2, of: 'limit' }],
};
