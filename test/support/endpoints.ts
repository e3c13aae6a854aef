/** The endpoints of the service, with the call of each and its response. */
import { exportDocuments } from '../../src/features/document-export/document-export.api.ts';
import { createFapiao } from '../../src/features/fapiao/fapiao.api.ts';
import { createGroup } from '../../src/features/group/group.api.ts';
import { currentStatus, importInvoice } from '../../src/features/malaysia/malaysia.api.ts';
import { latestValidation } from '../../src/features/mexico/mexico.api.ts';
import { scanIdentityCard } from '../../src/features/scan/scan.api.ts';
import type { Call } from '../../src/upstream/call/call.ts';
import { money } from './an-invoice.ts';

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
const amountExclTax = money('1.00');
const statusFormat = { statePath: undefined, reasonPath: undefined, words: [] };

export const endpoints: readonly EndpointCase[] = [
  {
    name: 'createGroup',
    kind: 'write',
    envelope: 'createGroup',
    record: { id: 7, name: 'a', createdAt: 1, uid: 1, queueCount: 0, queues: [] },
    proof: 'id',
    call: callOf((upstream) => createGroup(upstream, 'a')),
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
  },
  {
    name: 'exportDocuments',
    kind: 'write',
    envelope: 'exportDocumentByDocIds',
    record: { data: '"Name"\n"A"\n', message: 'Downloaded document successfully.' },
    proof: 'data',
    call: callOf((upstream) => exportDocuments(upstream, ['5001'])),
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
  },
];
