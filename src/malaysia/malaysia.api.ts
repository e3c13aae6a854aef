import type { Upstream } from '../upstream/client.ts';
import { holdsAny, type ReportDrift, readAnswer, Undecodable, type WireObject } from '../upstream/decode.ts';
import { checkedId, type Endpoint } from '../upstream/endpoint.ts';
import { writeJson } from '../upstream/exact-json.ts';
import { docTypes, type MalaysiaDocType, type MalaysiaInvoice, toWire } from './invoice.ts';

/** Interface document, "Import Malaysia e-invoice"; the credentials it needs are not shown. */
export const importEndpoint: Endpoint = {
  operation: 'importMalaysiaInvoice',
  method: 'POST',
  path: '/v2/einvoice/malaysia/queue/{queueId}',
  demands: [],
  kind: 'write',
};

/** Interface document, "Import Malaysia e-invoice": the path alone is given, the answer's shape is not shown. */
export const statusEndpoint: Endpoint = {
  operation: 'malaysiaStatus',
  method: 'GET',
  path: '/v2/einvoice/malaysia/status/{documentId}',
  demands: [],
  kind: 'read',
};

export interface MalaysiaImport {
  readonly requestId: string | null;
  readonly queueId: string;
  readonly documentId: string;
  readonly docType: MalaysiaDocType;
  readonly docNumber: string;
  readonly message: string;
  readonly trackingUrl: string | null;
  readonly govPortal: GovPortalSubmission | null;
}

export interface GovPortalSubmission {
  readonly submissionId: string | null;
  readonly uuid: string | null;
}

export type MalaysiaState = 'QUEUED' | 'SUBMITTED' | 'VALIDATED' | 'REJECTED' | 'FAILED' | 'UNKNOWN';

export interface MalaysiaStatus {
  readonly documentId: string;
  readonly state: MalaysiaState;
  readonly rawState: string | null;
  readonly message: string | null;
  readonly govPortal: GovPortalSubmission | null;
  /** When the service last said so. */
  readonly observedAt: Date;
  readonly isDelayed: boolean;
}

export function isFinal({ state }: MalaysiaStatus): boolean {
  return state === 'VALIDATED' || state === 'REJECTED' || state === 'FAILED';
}

export function importInvoice(
  upstream: Upstream,
  queueId: string,
  invoice: MalaysiaInvoice,
): Promise<MalaysiaImport> {
  return upstream.call({
    endpoint: importEndpoint,
    parameters: { queueId: checkedId(queueId, 'queueId') },
    headers: { 'content-type': 'application/json' },
    body: writeJson(toWire(invoice)),
    decode: (body, report) => decodeImport(readAnswer(body, 'import', report), queueId, invoice),
  });
}

/** `isPoll`: waits behind all requests, and is not tried again. */
export function currentStatus(
  upstream: Upstream,
  documentId: string,
  { isPoll = false }: { isPoll?: boolean } = {},
): Promise<MalaysiaStatus> {
  return upstream.call({
    endpoint: statusEndpoint,
    parameters: { documentId: checkedId(documentId, 'documentId') },
    isPoll,
    decode: (body, report) => decodeStatus(body, documentId, report),
  });
}

/** The import's answer has no envelope: one of these shows that it is the answer of an import. */
const signsOfImport = ['requestId', 'queueId', 'docNumber'];

function dataOf(wire: WireObject): object {
  return (wire.has('data') && (wire.members['data'] as object | null)) || {};
}

function decodeImport(wire: WireObject, queueId: string, invoice: MalaysiaInvoice): MalaysiaImport {
  const documentId = wire.id('docId');
  if (documentId === null) {
    const hasEnvelope = signsOfImport.some((name) => (wire.raw(name) ?? null) !== null);
    // No name is known under which an answer's `data` would hold an import: any value there may be one.
    const hasData = holdsAny(wire.members, [...signsOfImport, 'docId', ...Object.keys(dataOf(wire))]);
    throw new Undecodable('the answer has no docId', { hasEnvelope, hasData, member: 'docId' });
  }
  const imported: MalaysiaImport = {
    requestId: wire.id('requestId'),
    queueId: wire.id('queueId') ?? queueId,
    documentId,
    docType: knownDocType(wire) ?? invoice.docType,
    docNumber: wire.text('docNumber') ?? invoice.docNumber,
    message: wire.text('message') ?? '',
    // Shown to the caller and never fetched: it is an address inside the service.
    trackingUrl: wire.text('trackingUrl'),
    govPortal: decodeGovPortal(wire),
  };
  wire.done({ optional: ['govPortal'] });
  return imported;
}

function knownDocType(wire: WireObject): MalaysiaDocType | null {
  const word = wire.text('docType');
  if (word === null || Object.hasOwn(docTypes, word)) return word as MalaysiaDocType | null;
  wire.unknownWord('docType');
  return null;
}

function decodeGovPortal(wire: WireObject): GovPortalSubmission | null {
  const portal = wire.object('govPortal');
  if (portal === null) return null;
  const submission = { submissionId: portal.text('submissionId'), uuid: portal.text('uuid') };
  portal.done();
  return submission;
}

/** Public portal words and those of the interface, lower case (domain notes, "Malaysia"). */
const states: Readonly<Record<string, MalaysiaState>> = {
  queued: 'QUEUED',
  pending: 'QUEUED',
  processing: 'QUEUED',
  accepted: 'QUEUED',
  submitted: 'SUBMITTED',
  validated: 'VALIDATED',
  valid: 'VALIDATED',
  rejected: 'REJECTED',
  invalid: 'REJECTED',
  failed: 'FAILED',
  error: 'FAILED',
};

const stateNames = ['status', 'state', 'documentStatus'];

/** The status answer's shape is not shown: the state is read at the top or one envelope below. */
function decodeStatus(body: unknown, documentId: string, report: ReportDrift): MalaysiaStatus {
  const top = readAnswer(body, 'status', report);
  const wire = holdsState(top) ? top : envelopeWithState(top);
  const rawState = wire && stateIn(wire);
  if (!wire || !rawState)
    throw new Undecodable('the answer has no status', { hasEnvelope: false, member: 'status' });
  const word = rawState.toLowerCase();
  const state = Object.hasOwn(states, word) ? (states[word] as MalaysiaState) : 'UNKNOWN';
  if (state === 'UNKNOWN') wire.unknownWord('status');
  return {
    documentId,
    state,
    rawState,
    message: reasonIn(wire),
    govPortal: decodeGovPortal(wire),
    observedAt: new Date(),
    isDelayed: false,
  };
}

function holdsState(wire: WireObject): boolean {
  return stateNames.some((name) => typeof wire.raw(name) === 'string');
}

function envelopeWithState(top: WireObject): WireObject | undefined {
  const envelopes = Object.keys(top.members).flatMap((name) => {
    const value = top.members[name];
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (top.object(name) ?? []) : [];
  });
  return envelopes.find(holdsState);
}

function stateIn(wire: WireObject): string | null {
  for (const name of stateNames) {
    const word = wire.text(name);
    if (word) return word;
  }
  return null;
}

function reasonIn(wire: WireObject): string | null {
  const errors = wire.list('errors').flatMap((error) => {
    if (typeof error === 'string') return error;
    const { message } = (error ?? {}) as { message?: unknown };
    return typeof message === 'string' ? message : [];
  });
  return wire.text('reason') ?? (errors.length > 0 ? errors.join('; ') : wire.text('message'));
}
