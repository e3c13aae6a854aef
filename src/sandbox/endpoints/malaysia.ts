import { createHash, randomUUID } from 'node:crypto';
import { BoundedMap } from '../bounded-map.ts';
import { defaultDurations } from '../course.ts';
import type { ImportedDocument } from '../documents.ts';
import { type Endpoint, readNotedJson, type SandboxParts } from '../endpoint.ts';
import { HttpError, json } from '../http.ts';
import { checkedInvoice } from '../malaysia-invoice.ts';

/** Each step takes this many times longer for a document number that ends in `-SLOW`. */
const slowFactor = 10;
/** Documents that every API key has, without an import: their processing begins with the first request for their status. */
const exampleNumbers: ReadonlyMap<string, string> = new Map([
  ['2001', 'EXAMPLE'],
  ['2002', 'EXAMPLE-REJ'],
]);

/**
 * `POST /v2/einvoice/malaysia/queue/{queueId}`. Each call creates a document; the ending of its number (`-NOW`, `-SLOW`,
 * `-REJ`, `-FAIL`) decides how it is processed.
 */
export function malaysiaImport({ documents, clock, course, speed }: SandboxParts): Endpoint {
  const numbers = new BoundedMap<string, true>();
  return {
    method: 'POST',
    path: /^\/v2\/einvoice\/malaysia\/queue\/([^/]+)$/,
    requiredCredentials: [],
    inputs: {
      'Malaysia: `docNumber`': {
        'ends in `-REJ`': 'REJECTED',
        'ends in `-FAIL`': 'FAILED',
        'ends in `-NOW`': 'SUBMITTED from the start',
        'ends in `-SLOW`': 'each step takes ten times as long',
        'used before, with the same API key': 'imported, REJECTED later',
      },
    },
    async handle(call) {
      const { tenant, parameter: queueId } = call;
      const { docType, docNumber } = checkedInvoice(await readNotedJson(call));
      const number = JSON.stringify([tenant, docNumber]);
      const duplicate = numbers.has(number);
      numbers.set(number, true);
      const imported = {
        kind: 'malaysia',
        tenant,
        queueId,
        docNumber,
        duplicate,
        importedAt: clock.now(),
        // Fixed now: another course must not take a document back to an earlier state.
        ...course.durationsOf(number),
      } as const;
      const docId = documents.add(imported);
      call.note({ queueId, docType, docNumber, docId });
      const { govPortal } = statusAt({ ...imported, id: docId }, imported.importedAt, speed);
      return json(200, {
        requestId: randomUUID(),
        queueId: /^(0|[1-9]\d{0,14})$/.test(queueId) ? Number(queueId) : queueId,
        docId,
        docType,
        docNumber,
        message: `The document has been ${govPortal ? 'submitted to the tax portal' : 'queued for submission'}.`,
        // An internal address that no caller can reach.
        trackingUrl: `http://einvoice.internal.invalid/v2/einvoice/malaysia/status/${docId}`,
        ...(govPortal ? { govPortal } : {}),
      });
    },
  };
}

/** `GET /v2/einvoice/malaysia/status/{docId}`. Its shape is not stated (docs/service.md, "Malaysian status"). */
export function malaysiaStatus({ documents, clock, speed }: SandboxParts): Endpoint {
  /** When the processing of each example document began (epoch ms); undefined after its final state: it begins again. */
  const beginnings = new BoundedMap<string, number | undefined>();

  function exampleStatus(tenant: string, parameter: string, docNumber: string): Status {
    const key = JSON.stringify([tenant, parameter]);
    const importedAt = beginnings.get(key) ?? clock.now();
    const document = { id: Number(parameter), docNumber, importedAt, duplicate: false, ...defaultDurations };
    const status = statusAt(document, clock.now(), speed);
    const isFinal = status.status !== 'queued' && status.status !== 'submitted';
    beginnings.set(key, isFinal ? undefined : importedAt);
    return status;
  }

  return {
    method: 'GET',
    path: /^\/v2\/einvoice\/malaysia\/status\/([^/]+)$/,
    requiredCredentials: [],
    inputs: {
      'Malaysia: `documentId`': {
        '`2001`':
          'needs no import: QUEUED at the first request for its status, then SUBMITTED, then VALIDATED; after that it begins again',
        '`2002`': 'the same, REJECTED',
        'any other': 'the document that was imported with this id',
      },
    },
    handle({ tenant, parameter, note }) {
      note({ docId: parameter });
      const example = exampleNumbers.get(parameter);
      if (example !== undefined)
        return json(200, { docId: Number(parameter), ...exampleStatus(tenant, parameter, example) });
      const document = /^(0|[1-9]\d{0,14})$/.test(parameter)
        ? documents.find(tenant, Number(parameter))
        : undefined;
      if (document?.kind !== 'malaysia') throw new HttpError(404, 'The e-invoice document does not exist.');
      return json(200, { docId: document.id, ...statusAt(document, clock.now(), speed) });
    },
  };
}

interface Status {
  readonly status: 'queued' | 'submitted' | 'validated' | 'rejected' | 'failed';
  readonly message?: string;
  readonly govPortal?: { readonly submissionId: string; readonly uuid: string };
}

/** What decides how a document is processed. */
type Processed = Omit<ImportedDocument, 'kind' | 'tenant' | 'queueId'>;

/** Computes the status from the document's age; no timer runs. */
function statusAt(document: Processed, now: number, speed: number): Status {
  const { id, docNumber, importedAt, queuedMs, submittedMs } = document;
  const factor = docNumber.endsWith('-SLOW') ? slowFactor : 1;
  const ageMs = ((now - importedAt) * speed) / factor;
  if (ageMs < queuedMs && !docNumber.endsWith('-NOW')) return { status: 'queued' };
  if (docNumber.endsWith('-FAIL')) {
    return {
      status: 'failed',
      message: 'The document was not submitted: the supplier state code is unknown.',
    };
  }
  const govPortal = { submissionId: portalId(`submission ${id}`), uuid: portalId(`document ${id}`) };
  if (ageMs < queuedMs + submittedMs) return { status: 'submitted', govPortal };
  const reason = rejectionReason(document);
  return reason === null
    ? { status: 'validated', govPortal }
    : { status: 'rejected', message: reason, govPortal };
}

function rejectionReason({ docNumber, duplicate }: Processed): string | null {
  if (duplicate) return 'Duplicate submission: a document with this number was submitted before.';
  if (docNumber.endsWith('-REJ')) return 'The buyer TIN is not valid.';
  return null;
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 26 upper-case letters and digits, derived from the seed. */
function portalId(seed: string): string {
  const digest = createHash('sha256').update(seed).digest();
  return Array.from(digest.subarray(0, 26), (byte) => alphabet[byte % alphabet.length]).join('');
}
