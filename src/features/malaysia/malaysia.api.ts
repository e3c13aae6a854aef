/** The calls that import an invoice and that read its status. */
import type { MalaysiaState, MalaysiaStatusConfig } from '../../config/config.ts';
import type { InputProblem } from '../../input-problems.ts';
import { writeJson } from '../../tools/exact-number.ts';
import { isObject } from '../../tools/is-object.ts';
import { detached } from '../../tools/shortened.ts';
import type { Upstream } from '../../upstream/client.ts';
import {
  hasAnyData,
  readResponse,
  recordIn,
  UndecodableError,
  type WireObject,
} from '../../upstream/decode.ts';
import type { Endpoint } from '../../upstream/endpoint.ts';
import type { PublicError } from '../../watch/watch-message.ts';
import type { Timed } from '../../watch/watchable.ts';
import { decodePortal, type GovPortalSubmission, portalIn } from './gov-portal.ts';
import { docTypeOf, knownMembers, type MalaysiaInvoice, toWire } from './invoice.ts';
import { decodeStatus, maxRawLength } from './status-response.ts';
import { finalStates } from './status-words.ts';

/** docs/service.md, "Import a Malaysian e-invoice". The required credentials are not stated. */
export const importEndpoint: Endpoint = {
  name: 'importMalaysiaInvoice',
  method: 'POST',
  path: '/v2/einvoice/malaysia/queue/{queueId}',
  requiredCredentials: [],
  kind: 'write',
  inputPaths: {
    queueId: ['queueId'],
    ...Object.fromEntries(knownMembers.invoice.map((name) => [name, ['invoice', name]])),
  },
};

/** docs/service.md, "Malaysian status". Only the path is stated. */
export const statusEndpoint: Endpoint = {
  name: 'malaysiaStatus',
  method: 'GET',
  path: '/v2/einvoice/malaysia/status/{documentId}',
  requiredCredentials: [],
  kind: 'read',
};

export type MalaysiaImport = ReturnType<typeof decodeImport>;

export interface MalaysiaStatus extends Timed {
  readonly documentId: string;
  readonly state: MalaysiaState;
  readonly rawState: string | null;
  readonly message: string | null;
  readonly govPortal: GovPortalSubmission | null;
  /** When the service last reported this state; while it has reported none, when it was last asked. */
  readonly observedAt: Date;
  readonly isDelayed: boolean;
  /** The service's response as JSON; absent in a status that it has not returned. */
  readonly raw?: string | undefined;
  /** Why the document is no longer watched, or cannot be read; absent in a status that the service returned. */
  readonly problem?: PublicError | null | undefined;
}

export function isFinal({ state }: MalaysiaStatus): boolean {
  return finalStates.includes(state);
}

/** `keptBytes`: memory of the warnings that are kept for the result. */
export function importInvoice(
  upstream: Upstream,
  queueId: string,
  invoice: MalaysiaInvoice,
  keptBytes = 0,
): Promise<MalaysiaImport> {
  return upstream.call({
    endpoint: importEndpoint,
    parameters: { queueId },
    body: writeJson(toWire(invoice)),
    keptBytes,
    decode: (body, report, warnings) => decodeImport(readResponse(body, 'import', report), queueId, warnings),
  });
}

/** `rawLength`: most characters of `raw`. */
export function currentStatus(
  upstream: Upstream,
  documentId: string,
  format: MalaysiaStatusConfig,
  rawLength = maxRawLength,
): Promise<MalaysiaStatus> {
  const askedAt = performance.now();
  return upstream.call({
    endpoint: statusEndpoint,
    parameters: { documentId },
    // For a shared read, `askedAt` is the time of the caller that started it.
    decode: (body, report) => ({
      ...decodeStatus(body, documentId, report, format, rawLength),
      documentId,
      observedAt: new Date(),
      isDelayed: false,
      askedAt,
      respondedAt: performance.now(),
    }),
  });
}

/** Members that identify a response of the import, which has no envelope. */
const signsOfImport = ['requestId', 'queueId', 'docNumber', 'docType', 'trackingUrl', 'govPortal'];

/** The names in an object under `data`. A string there would have one for each of its characters. */
function namesInData({ members: { data } }: WireObject): string[] {
  return isObject(data) ? Object.keys(data) : [];
}

function decodeImport(response: WireObject, queueId: string, warnings: readonly InputProblem[]) {
  const wire = recordIn(response, ['docId']);
  const documentId = wire.id('docId');
  if (documentId === null) {
    // It is not known in which member `data` would contain an import: any value may be one.
    const hasData = hasAnyData(wire.members, [...signsOfImport, ...namesInData(wire)]);
    throw new UndecodableError('The response has no "docId".', { hasData, member: 'docId' });
  }
  const portal = portalIn(wire);
  const rawDocType = wire.texts('docType');
  const docType = docTypeOf(rawDocType) ?? null;
  if (docType === null && rawDocType !== null) wire.reportUnknownWord('docType');
  const imported = {
    requestId: wire.id('requestId'),
    // A part of the operation's text, which the ledger would keep.
    queueId: wire.id('queueId') ?? detached(queueId),
    documentId,
    /** null: the service reports none, or another word than its document states: `rawDocType`. */
    docType,
    rawDocType,
    docNumber: wire.id('docNumber'),
    message: wire.texts('message') ?? '',
    // A URL inside the service: returned to the caller and never fetched.
    trackingUrl: wire.string('trackingUrl'),
    govPortal: portal?.finish(decodePortal(portal)) ?? null,
    warnings,
  };
  return wire.finish(imported, { optional: ['govPortal'] });
}
