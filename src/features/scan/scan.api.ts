import { randomUUID } from 'node:crypto';
import { GatewayError } from '../../errors.ts';
import type { InputProblem } from '../../input-problems.ts';
import { checkedText } from '../../upstream/checked-input.ts';
import type { Upstream } from '../../upstream/client.ts';
import { readEnvelope, UndecodableError, type WireObject } from '../../upstream/decode.ts';
import type { Endpoint } from '../../upstream/endpoint.ts';
import { binary64 } from '../../upstream/exact-json.ts';
import { type FilePart, multipartBody } from '../../upstream/multipart.ts';
import { textBoxIn } from './text-box.ts';

/** docs/service.md, "Scan an identity card". */
export const scanEndpoint = {
  name: 'scanIdentityCard',
  method: 'POST',
  path: '/v1/documents/scan/nric',
  requiredCredentials: ['apiKey'],
  kind: 'write',
  envelope: 'scanDocuments',
  inputPaths: { files: ['file'], qid: ['queueId'], handwritten: ['handwritten'] },
} as const satisfies Endpoint;

interface ScanRequest {
  readonly queueId: string;
  /** The value of the form part, in the format of HANDWRITTEN_FORMAT. */
  readonly handwritten: string;
  readonly file: Omit<FilePart, 'name'>;
}

export interface ScanResult extends ReturnType<typeof decodeScan> {
  /** In place of the document id; absent when there is one. Not of the request: its caller may give several the same id. */
  readonly unknownId?: string;
}

export type IdentityCard = ReturnType<typeof decodeCard>;
export type ExtractedField = ReturnType<typeof decodeField>;
export type FieldMatch = NonNullable<ReturnType<typeof decodeMatch>>;
export type PageSize = NonNullable<ReturnType<typeof decodePageSize>>;

export function scanIdentityCard(
  upstream: Upstream,
  { queueId, handwritten, file }: ScanRequest,
): Promise<ScanResult> {
  const { contentType, body } = multipartBody(
    { qid: checkedText(queueId, 'queueId'), handwritten },
    { ...file, name: 'files' },
  );
  return upstream.call({
    endpoint: scanEndpoint,
    headers: { 'content-type': contentType },
    body,
    decode: (body, report, warnings) => decodeScan(readEnvelope(body, scanEndpoint, report), warnings),
  });
}

/** Nothing but the id proves that the service keeps a document. The data of the card is then the error's partial result. */
function decodeScan(wire: WireObject, warnings: readonly InputProblem[]) {
  const data = wire.object('data');
  const scan = wire.finish({
    /** Empty when the service sent the card's data without an id: see `unknownId`. */
    documentId: wire.id('docId') ?? '',
    status: wire.texts('status'),
    card: data
      ? decodeCard(data)
      : ({ fields: [], pageCount: null, pageSizes: [], textBoxes: [] } as IdentityCard),
    warnings,
  });
  if (scan.documentId !== '') return scan;
  throw new UndecodableError('The response has no "docId".', {
    hasData: true,
    member: 'docId',
    partial: data ? scan : undefined,
  });
}

/** Returns the data of a card that the service sent without an id. Throws any other error. */
export function partialScan(error: unknown): ScanResult {
  if (error instanceof GatewayError && error.cause instanceof UndecodableError) {
    const { partial } = error.cause;
    if (partial) return { ...(partial as ScanResult), unknownId: randomUUID() };
  }
  throw error;
}

/** Members of `data` that are not field objects. */
const notFields = ['DocSize', 'SmallBoxes', 'num_pages'];
/** The fields that docs/service.md names, with their names at the service, which sends them for every card, found or not. */
export const namedFields = [
  ['name', 'Name', 'Name of the holder'],
  ['nricNumber', 'NricNumber', 'Number of the card'],
  ['dateOfBirth', 'DOB', 'Date of birth'],
  ['gender', 'Gender', 'Gender as printed'],
  ['nationality', 'Nationality', 'Nationality as printed'],
  ['issueDate', 'IssueDate', 'Date of issue'],
  ['expiryDate', 'ExpiryDate', 'Date of expiry'],
] as const;

function decodeCard(data: WireObject) {
  const keys = Object.keys(data.members).filter((key) => !notFields.includes(key));
  return data.finish({
    fields: [...new Set([...keys, ...namedFields.map(([, key]) => key)])].flatMap((key) => {
      const field = data.object(key);
      if (field) return [decodeField(key, field)];
      if (data.members[key] === null) data.reportMistyped(key);
      return [];
    }),
    pageCount: data.integer('num_pages'),
    pageSizes: data.list('DocSize').flatMap((size) => {
      const pageSize = decodePageSize(size);
      if (pageSize === null) data.reportMistyped('DocSize');
      return pageSize ?? [];
    }),
    textBoxes: data.objects('SmallBoxes').flatMap((entry) => {
      const box = textBoxIn(entry, 'box', entry.integer('page'));
      if (entry.members['box'] === null) entry.reportMistyped('box');
      return entry.finish(box) ?? [];
    }),
  });
}

function decodeField(key: string, wire: WireObject) {
  return wire.finish({
    key,
    label: wire.string('UIName'),
    category: wire.string('UICategory'),
    type: wire.string('UIType'),
    /** Candidates; empty when the field was not found. */
    matches: wire.objects('matches').flatMap((match) => decodeMatch(match) ?? []),
  });
}

/** Returns null for a field that was not found. */
function decodeMatch(wire: WireObject) {
  const page = wire.integer('page');
  const match = {
    text: wire.texts('match'),
    /** The member `matchmulti` as it is: its meaning is not stated. */
    multi: wire.raw('matchmulti') ?? null,
    page,
    keywordBox: textBoxIn(wire, 'keyword', page),
    valueBox: textBoxIn(wire, 'value', page),
  };
  // Absent or null in every documented response.
  if (match.multi !== null) wire.reportMistyped('matchmulti');
  return wire.finish(isFound(wire) ? match : null, { optional: ['matchmulti'] });
}

/**
 * The service reports "not found" as a match whose members are all null (docs/service.md, "Scan an identity card"). A value
 * that cannot be read is not one.
 */
function isFound({ members }: WireObject): boolean {
  return ['keyword', 'match', 'matchmulti', 'page', 'value'].some((name) => (members[name] ?? null) !== null);
}

function decodePageSize(size: unknown) {
  if (!Array.isArray(size) || size.length !== 2) return null;
  const [first, second] = size.map(binary64);
  return first === undefined || second === undefined ? null : { first, second };
}
