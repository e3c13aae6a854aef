/** W1, W2, W9 and W10: reads of Mexican validations. */
import { documentCount, firstDocumentId, mexicoRecord } from '../upstream/answers.ts';
import { everyPeer, type HttpWorkload, jsonRequests } from './workload.ts';

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

/** Consecutive requests have distant ids, so that no two requests in flight are equal. */
const documentIds = Array.from({ length: documentCount }, (_, index) =>
  String(firstDocumentId + ((index * 7_919) % documentCount)),
);

const oneValidation = jsonRequests(
  documentIds.map((documentId) => ({ query: oneQuery, variables: { by: { documentId } } })),
);

const wireSelection = `{
    documentId
    uuid
    validation_result
    validatedAt
    invalid_reason
    steps {
      schema { result detail }
      authorityStatus { result detail }
      rfc { result detail }
    }
  }`;

const oneWire = {
  requests: jsonRequests(
    documentIds.map((documentId) => ({
      query: `query MexicoValidation($documentId: String!) {
  mexicoValidation(documentId: $documentId) ${wireSelection}
}`,
      variables: { documentId },
    })),
  ),
  expected: (index: number) => ({ mexicoValidation: mexicoRecord(Number(documentIds[index])) }),
};

export const w1: HttpWorkload = {
  name: 'W1',
  title: 'one `mexicoValidation` with its full selection, over 10,000 ids',
  requests: oneValidation,
  wire: oneWire,
  contenders: everyPeer,
  connections: 32,
  requestsPerSecond: 3_000,
  goals: [
    { name: 'G1', factor: 1.35, of: 'limit' },
    { name: 'G1', factor: 1.25, of: 'floor' },
    { name: 'G1', factor: 1.05, of: 'mercurius' },
    { name: 'G1', factor: 0.8, of: 'mercurius-production' },
  ],
};

const distinct = 10;
const aliases = 2 * distinct;

/** The ids of one request. */
function idsOf(request: number): Record<string, string> {
  const entries = Array.from({ length: distinct }, (_, index) => [
    `id${index}`,
    documentIds[request * distinct + index] as string,
  ]);
  return Object.fromEntries(entries);
}

function twentyRequests(type: string, argument: (id: string) => string, fragment: string) {
  const names = Array.from({ length: distinct }, (_, index) => `id${index}`);
  const fields = Array.from(
    { length: aliases },
    (_, index) => `v${index}: mexicoValidation(${argument(`$id${index % distinct}`)}) { ...Validation }`,
  );
  const query = `query Twenty(${names.map((name) => `$${name}: ${type}`).join(', ')}) {
  ${fields.join('\n  ')}
}
fragment Validation on ${fragment}`;
  const count = documentCount / distinct;
  return jsonRequests(Array.from({ length: count }, (_, request) => ({ query, variables: idsOf(request) })));
}

export const w2: HttpWorkload = {
  name: 'W2',
  title: 'one query of 20 aliases with 10 distinct ids',
  requests: twentyRequests('ID!', (id) => `by: { documentId: ${id} }`, `MexicoValidation ${selection}`),
  wire: {
    requests: twentyRequests('String!', (id) => `documentId: ${id}`, `Validation ${wireSelection}`),
    expected: (request) => {
      const ids = Object.values(idsOf(request));
      const record = (index: number) => mexicoRecord(Number(ids[index % distinct]));
      return Object.fromEntries(Array.from({ length: aliases }, (_, index) => [`v${index}`, record(index)]));
    },
  },
  contenders: everyPeer,
  connections: 16,
  calls: { contenders: ['gateway', 'floor', 'mercurius', 'apollo'], count: distinct },
  goals: [
    { name: 'G2', factor: 0.72, of: 'limit' },
    { name: 'G2', factor: 1.3, of: 'floor' },
    { name: 'G2', factor: 0.95, of: 'mercurius-production' },
  ],
};

export const w9: HttpWorkload = {
  name: 'W9',
  title: 'latency of W1 behind a service that waits 20 ms',
  requests: oneValidation,
  wire: oneWire,
  contenders: everyPeer,
  connections: 32,
  delayMs: 20,
  judgedBy: 'p99',
  goals: [{ name: 'G9', factor: 1.1, of: 'limit' }],
};

export const w10: HttpWorkload = {
  name: 'W10',
  title: 'W1 from 100 callers, who share all connections',
  requests: oneValidation,
  contenders: ['gateway', 'one-caller', 'floor', 'mercurius-production'],
  connections: 32,
  callers: 100,
  requestsPerSecond: 3_000,
  goals: [{ name: 'G10', factor: 1.05, of: 'one-caller' }],
};
