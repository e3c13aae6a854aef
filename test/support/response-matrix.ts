/** Every combination of what can vary in a response of the service, for each endpoint. */
import { exportDocuments } from '../../src/features/document-export/document-export.api.ts';
import { createFapiao } from '../../src/features/fapiao/fapiao.api.ts';
import { createGroup } from '../../src/features/group/group.api.ts';
import { currentStatus, importInvoice } from '../../src/features/malaysia/malaysia.api.ts';
import { latestValidation } from '../../src/features/mexico/mexico.api.ts';
import { scanIdentityCard } from '../../src/features/scan/scan.api.ts';
import type { Call } from '../../src/upstream/call/call.ts';
import { ExactNumber } from '../../src/upstream/exact-json.ts';

export interface EndpointCase {
  readonly name: string;
  readonly kind: 'read' | 'write';
  /** Undefined: the record is the response itself. */
  readonly envelope?: string;
  /** The record as documented. */
  readonly record: Readonly<Record<string, unknown>>;
  /** The member that proves that a write was done. */
  readonly proof?: string;
  readonly call: Call<unknown>;
  /** The operation that causes the call. `$file` is a file, `$xml` a Fapiao. */
  readonly query: string;
}

/** The call that a feature makes. */
function callOf(make: (upstream: { call<T>(call: Call<T>): Promise<T> }) => Promise<unknown>): Call<unknown> {
  let made: Call<unknown> | undefined;
  void make({
    call(call) {
      made = call as Call<unknown>;
      return new Promise(() => {});
    },
  });
  if (!made) throw new Error('The feature made no call.');
  return made;
}

const box = [1, 2, 3, 4, 2, 3, 'A', 'A'];
const match = { keyword: box, match: 'A', matchmulti: null, page: 0, value: box };
const amountExclTax = ExactNumber.parse('1.00') as ExactNumber;
const statusFormat = { statePath: undefined, reasonPath: undefined, words: [] };
const problems = '... on InvalidInput { problems { rule message } }';

export const endpoints: readonly EndpointCase[] = [
  {
    name: 'createGroup',
    kind: 'write',
    envelope: 'createGroup',
    record: { id: 7, name: 'a', createdAt: 1, uid: 1, queueCount: 0, queues: [] },
    proof: 'id',
    call: callOf((upstream) => createGroup(upstream, 'a')),
    query: `mutation { result: createGroup(input: { name: "a" }) { ... on Group { proof: id warnings { message } } ${problems} } }`,
  },
  {
    name: 'scanIdentityCard',
    kind: 'write',
    envelope: 'scanDocuments',
    record: {
      docId: 7,
      status: 'COMPLETED',
      data: { Name: { UICategory: 'a', UIName: 'b', UIType: 'Text', matches: [match] }, num_pages: 1 },
    },
    proof: 'docId',
    call: callOf((upstream) =>
      scanIdentityCard(upstream, {
        queueId: '1',
        handwritten: '[false]',
        file: { filename: 'a', contentType: 'image/png', content: (async function* () {})() },
      }),
    ),
    query: `mutation ($file: Upload!) { result: scanIdentityCard(input: { file: $file, queueId: "1" }) { ... on ScanResult { proof: documentId warnings { message } } ${problems} } }`,
  },
  {
    name: 'exportDocuments',
    kind: 'write',
    envelope: 'exportDocumentByDocIds',
    record: { data: '"Name"\n"A"\n', message: 'Downloaded document successfully.' },
    proof: 'data',
    call: callOf((upstream) => exportDocuments(upstream, ['5001'])),
    query: `mutation { result: exportDocuments(input: { documentIds: ["5001"] }) { ... on ExportResult { proof: csv warnings { message } } ${problems} } }`,
  },
  {
    name: 'createFapiao',
    kind: 'write',
    envelope: 'createXmlDocument',
    record: { message: 'Accepted.', requestId: '00000000-0000-0000-0000-000000000000' },
    proof: 'requestId',
    call: callOf((upstream) =>
      createFapiao(upstream, { xml: Buffer.from('<a/>'), name: undefined, queueId: undefined }, 'percent'),
    ),
    query: `mutation ($xml: String!) { result: createFapiao(input: { document: { xml: $xml } }) { ... on FapiaoRequest { proof: requestId warnings { message } } ${problems} } }`,
  },
  {
    name: 'importMalaysiaInvoice',
    kind: 'write',
    record: {
      requestId: 'r',
      queueId: '1',
      docId: '7',
      docType: 'invoice',
      docNumber: 'INV-1',
      message: 'Queued.',
      trackingUrl: 'http://10.0.0.7/status/7',
      govPortal: { submissionId: 'S', uuid: 'U' },
    },
    proof: 'docId',
    call: callOf((upstream) =>
      importInvoice(upstream, '1', {
        docType: 'invoice',
        docNumber: 'INV-1',
        lines: [{ amountExclTax, taxes: [] }],
      }),
    ),
    query: `mutation { result: importMalaysiaInvoice(input: { queueId: "1", invoice: { docType: INVOICE, docNumber: "INV-1", supplier: {}, buyer: {}, lines: [{ amountExclTax: 1, taxes: [] }] } }) { ... on MalaysiaImport { proof: documentId warnings { message } } ${problems} } }`,
  },
  {
    name: 'malaysiaStatus',
    kind: 'read',
    record: {
      docId: '5001',
      status: 'validated',
      message: 'Done.',
      govPortal: { submissionId: 'S', uuid: 'U' },
    },
    call: callOf((upstream) => currentStatus(upstream, '5001', statusFormat as never)),
    query: '{ result: malaysiaStatus(documentId: "5001") { state isFinal message } }',
  },
  {
    name: 'mexicoValidation',
    kind: 'read',
    record: {
      documentId: '5001',
      uuid: '00000000-0000-0000-0000-000000000000',
      validation_result: 'VALID',
      validatedAt: '2026-01-01T00:00:00Z',
      invalid_reason: null,
      steps: { schema: { result: 'PASS', detail: null } },
    },
    call: callOf((upstream) => latestValidation(upstream, '5001')),
    query: '{ result: mexicoValidation(by: { documentId: "5001" }) { result validatedAt rawResult } }',
  },
];

export const envelopes = ['as documented', 'under data', 'list of one', 'absent'] as const;
/** Those of a response with a result. */
const resultStatuses: readonly number[] = [200, 201, 202, 203, 206, 207];
export const statuses = [
  ...[...resultStatuses, 204, 302],
  ...[400, 401, 403, 404, 408, 409, 413, 415, 422, 423, 429, 500, 501, 502, 503, 504],
] as const;
/** Errors of a GraphQL service: beside the record or instead of it, with a code. */
export const errorCases = [
  undefined,
  { code: undefined, isInstead: false },
  { code: 'UNAUTHENTICATED', isInstead: false },
  { code: undefined, isInstead: true },
  { code: 'UNAUTHENTICATED', isInstead: true },
  { code: 'NOT_FOUND', isInstead: true },
  { code: 'TIMEOUT', isInstead: true },
] as const;

/** Values of each type. The last one breaks code that converts any value. */
const odd: readonly unknown[] = [true, 'x', -1.5, [], {}, ['x', 5], { toString: 1, valueOf: 1 }];

/** Members of errors that other services send, which code may look for. */
export const addedMembers = ['id', 'code', 'statusCode', 'success', 'title', 'path'];

export function hasResult(status: number): boolean {
  return resultStatuses.includes(status);
}

export interface Variant {
  readonly what: string;
  readonly member?: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/**
 * The record, with each member null, absent, of other types or alone, and with members that are not documented, also some
 * that errors of other services have.
 */
export function variantsOf({ record }: EndpointCase): Variant[] {
  const variants: Variant[] = [
    { what: 'complete', record },
    { what: 'with a new member', record: { ...record, newMember: { id: 9, status: 'rejected' } } },
  ];
  const added = (value: unknown) =>
    Object.fromEntries(addedMembers.filter((name) => !(name in record)).map((name) => [name, value]));
  for (const [member, value] of Object.entries(record)) {
    variants.push({ what: 'null', member, record: { ...record, [member]: null } });
    const { [member]: _absent, ...rest } = record;
    variants.push({ what: 'absent', member, record: rest });
    for (const other of odd) {
      const json = JSON.stringify(other);
      variants.push({ what: `alone with ${json}`, member, record: { [member]: value, ...added(other) } });
      if (typeOf(other) === typeOf(value)) continue;
      variants.push({ what: `of another type: ${json}`, member, record: { ...record, [member]: other } });
    }
  }
  return variants;
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value;
}

export interface ResponseCase {
  readonly endpoint: EndpointCase;
  readonly status: number;
  readonly form: 'json' | 'text' | 'html' | 'empty';
  readonly envelope: (typeof envelopes)[number];
  readonly errors: (typeof errorCases)[number];
  readonly variant: Variant;
  readonly contentType: string;
  readonly body: string;
}

export const errorText = 'docNumber INV-20260001 exists';

function bodyOf(
  { envelope }: EndpointCase,
  placed: ResponseCase['envelope'],
  errors: ResponseCase['errors'],
  { record }: Variant,
): unknown {
  const errorList = errors && [{ message: errorText, extensions: errors.code && { code: errors.code } }];
  const beside = errorList ? { errors: errorList } : {};
  if (errors?.isInstead) return { ...(envelope ? { [envelope]: null } : { data: null }), ...beside };
  const isListed = placed === 'list of one';
  const wrapped = envelope ? { [envelope]: isListed ? [record] : record } : record;
  if (placed === 'absent') return { ...(envelope ? record : {}), ...beside };
  if (placed === 'under data') return { data: wrapped, ...beside };
  return isListed && !envelope ? [{ ...wrapped, ...beside }] : { ...wrapped, ...beside };
}

/** All responses to the endpoint's call. */
export function* responsesTo(endpoint: EndpointCase): Generator<ResponseCase> {
  const [complete, ...others] = variantsOf(endpoint) as [Variant, ...Variant[]];
  const base = { endpoint, envelope: 'as documented', errors: undefined, variant: complete } as const;
  for (const status of statuses) {
    yield { ...base, status, form: 'text', contentType: 'text/plain', body: errorText };
    yield { ...base, status, form: 'html', contentType: 'text/html', body: '<html><h1>No</h1></html>' };
    yield { ...base, status, form: 'empty', contentType: 'application/json', body: '' };
    for (const envelope of envelopes) {
      for (const errors of errorCases) {
        const isFixed = errors?.isInstead || !hasResult(status);
        for (const variant of isFixed ? [complete] : [complete, ...others]) {
          const body = JSON.stringify(bodyOf(endpoint, envelope, errors, variant));
          const contentType = 'application/json; charset=utf-8';
          yield { endpoint, status, form: 'json', envelope, errors, variant, contentType, body };
        }
      }
    }
  }
}
