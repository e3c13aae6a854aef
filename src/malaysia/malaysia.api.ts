import type { ErrorCode } from '../errors.ts';
import { isObject } from '../is-object.ts';
import type { Upstream } from '../upstream/client.ts';
import {
  hasAnyMember,
  type ReportDrift,
  readResponse,
  UndecodableError,
  type WireObject,
} from '../upstream/decode.ts';
import { checkedId, type Endpoint } from '../upstream/endpoint.ts';
import { writeJson } from '../upstream/exact-json.ts';
import { docTypes, type MalaysiaDocType, type MalaysiaInvoice, toWire } from './invoice.ts';

/** docs/service.md, "Import a Malaysian e-invoice". The required credentials are not stated. */
export const importEndpoint: Endpoint = {
  operation: 'importMalaysiaInvoice',
  method: 'POST',
  path: '/v2/einvoice/malaysia/queue/{queueId}',
  requiredCredentials: [],
  kind: 'write',
};

/** docs/service.md, "Malaysian status". Only the path is stated. */
export const statusEndpoint: Endpoint = {
  operation: 'malaysiaStatus',
  method: 'GET',
  path: '/v2/einvoice/malaysia/status/{documentId}',
  requiredCredentials: [],
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

export const malaysiaStates = [
  'QUEUED',
  'SUBMITTED',
  'VALIDATED',
  'REJECTED',
  'FAILED',
  'CANCELLED',
  'UNKNOWN',
] as const;

export type MalaysiaState = (typeof malaysiaStates)[number];

export interface StatusProblem {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryable: boolean;
}

export interface MalaysiaStatus {
  readonly documentId: string;
  readonly state: MalaysiaState;
  readonly rawState: string | null;
  readonly message: string | null;
  readonly govPortal: GovPortalSubmission | null;
  /** When the service last reported this state. */
  readonly observedAt: Date;
  readonly isDelayed: boolean;
  /** Why the document is no longer watched; absent in a status that the service returned. */
  readonly problem?: StatusProblem;
  /** When the call that returned this status began (`performance.now()`): the status of the later call wins. */
  readonly askedAt?: number;
}

const finalStates: readonly MalaysiaState[] = ['VALIDATED', 'REJECTED', 'FAILED', 'CANCELLED'];

export function isFinal({ state }: MalaysiaStatus): boolean {
  return finalStates.includes(state);
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
    decode: (body, report) => decodeImport(readResponse(body, 'import', report), queueId, invoice),
  });
}

/** `isPoll`: the call has the lowest priority and is not retried. */
export function currentStatus(
  upstream: Upstream,
  documentId: string,
  { isPoll = false }: { isPoll?: boolean } = {},
): Promise<MalaysiaStatus> {
  const askedAt = performance.now();
  return upstream.call({
    endpoint: statusEndpoint,
    parameters: { documentId: checkedId(documentId, 'documentId') },
    isPoll,
    // For a shared read, this is the time of the caller that started it.
    decode: (body, report) => ({ ...decodeStatus(body, documentId, report), askedAt }),
  });
}

/** Members that identify a response of the import, which has no envelope. */
const signsOfImport = ['requestId', 'queueId', 'docNumber'];

function dataOf(wire: WireObject): object {
  return (wire.has('data') && (wire.members['data'] as object | null)) || {};
}

function decodeImport(wire: WireObject, queueId: string, invoice: MalaysiaInvoice): MalaysiaImport {
  const documentId = wire.id('docId');
  if (documentId === null) {
    const hasEnvelope = signsOfImport.some((name) => (wire.raw(name) ?? null) !== null);
    // It is not known in which member `data` would contain an import: any value may be one.
    const hasData = hasAnyMember(wire.members, [...signsOfImport, 'docId', ...Object.keys(dataOf(wire))]);
    throw new UndecodableError('the answer has no docId', { hasEnvelope, hasData, member: 'docId' });
  }
  const portal = portalIn(wire);
  const imported: MalaysiaImport = {
    requestId: wire.id('requestId'),
    queueId: wire.id('queueId') ?? queueId,
    documentId,
    docType: knownDocType(wire) ?? invoice.docType,
    docNumber: wire.string('docNumber') ?? invoice.docNumber,
    message: wire.string('message') ?? '',
    // A URL inside the service: returned to the caller and never fetched.
    trackingUrl: wire.string('trackingUrl'),
    govPortal: portal && decodePortal(portal),
  };
  portal?.finish();
  wire.finish({ optional: ['govPortal'] });
  return imported;
}

function knownDocType(wire: WireObject): MalaysiaDocType | null {
  const word = wire.string('docType');
  if (word === null || Object.hasOwn(docTypes, word)) return word as MalaysiaDocType | null;
  wire.reportUnknownWord('docType');
  return null;
}

/** States of the tax portal and of the service's document, in lower case, without blanks and underscores. */
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
  validationfailed: 'FAILED',
  error: 'FAILED',
  cancelled: 'CANCELLED',
  canceled: 'CANCELLED',
};

const stateNames = ['status', 'state', 'documentStatus'];

interface StateWord {
  readonly raw: string;
  readonly state: MalaysiaState;
  /** The object that contains it. */
  readonly wire: WireObject;
}

/**
 * The service's document does not show the shape of the response. The state is the first known word at the top level or one
 * level below, so that the status of an envelope ("success") does not hide it; otherwise the first word.
 */
function decodeStatus(body: unknown, documentId: string, report: ReportDrift): MalaysiaStatus {
  const top = readResponse(body, 'status', report);
  const words = [top, ...objectsIn(top)].flatMap(stateWordsIn);
  const word = words.find(({ state }) => state !== 'UNKNOWN') ?? words[0];
  if (!word) throw new UndecodableError('the answer has no status', { hasEnvelope: false, member: 'status' });
  if (word.state === 'UNKNOWN') word.wire.reportUnknownWord('status');
  const portal = portalIn(word.wire) ?? portalIn(top);
  return {
    documentId,
    state: word.state,
    rawState: word.raw,
    message: reasonIn(word.wire),
    govPortal: portal && decodePortal(portal),
    observedAt: new Date(),
    isDelayed: false,
  };
}

function stateWordsIn(wire: WireObject): StateWord[] {
  return stateNames.flatMap((name) => {
    const raw = wire.raw(name);
    if (typeof raw !== 'string' || raw.trim() === '') return [];
    const word = raw.toLowerCase().replaceAll(/[\s_]/g, '');
    const state = Object.hasOwn(states, word) ? (states[word] as MalaysiaState) : 'UNKNOWN';
    return [{ raw, state, wire }];
  });
}

function reasonIn(wire: WireObject): string | null {
  const errors = wire.list('errors').flatMap((error) => {
    const { message } = (error ?? {}) as { message?: unknown };
    const text = typeof error === 'string' ? error : message;
    if (typeof text !== 'string') wire.reportMistyped('errors');
    return typeof text === 'string' ? text : [];
  });
  return wire.string('reason') ?? (errors.length > 0 ? errors.join('; ') : wire.string('message'));
}

/** Placeholder in the service's document for the member with the portal's details, whose real name is not stated. */
const portalStandIn = 'govPortal';

/** The portal's details: the member `govPortal`, otherwise the first member of that shape, whatever its name. */
function portalIn(wire: WireObject): WireObject | null {
  const { members } = wire;
  const hasShape = (name: string) => {
    const member = members[name];
    return isObject(member) && ['submissionId', 'uuid'].some((id) => Object.hasOwn(member, id));
  };
  const names = isObject(members[portalStandIn]) ? [] : Object.keys(members);
  return wire.object(names.find(hasShape) ?? portalStandIn);
}

function decodePortal(portal: WireObject): GovPortalSubmission {
  return { submissionId: portal.string('submissionId'), uuid: portal.string('uuid') };
}

function objectsIn(wire: WireObject): WireObject[] {
  return Object.keys(wire.members)
    .filter((name) => isObject(wire.members[name]))
    .flatMap((name) => wire.object(name) ?? []);
}
