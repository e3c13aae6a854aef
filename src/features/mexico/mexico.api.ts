import { numericId, uuidForm } from '../../upstream/checked-input.ts';
import type { Upstream } from '../../upstream/client.ts';
import { oneObject, readResponse, recordIn, required, type WireObject } from '../../upstream/decode.ts';
import type { Endpoint } from '../../upstream/endpoint.ts';

/** docs/service.md, "Mexico validation status". */
export const mexicoValidationEndpoint: Endpoint = {
  name: 'mexicoValidation',
  method: 'GET',
  path: '/v2/einvoice/mexico/status/{idOrUuid}',
  requiredCredentials: ['apiKey', 'authorization'],
  kind: 'read',
};

export type MexicoValidation = ReturnType<typeof decodeValidation>;
export type MexicoValidationStep = ReturnType<typeof decodeStep>;
const stepNames = ['SCHEMA', 'AUTHORITY_STATUS', 'RFC', 'OTHER'] as const;
type StepName = (typeof stepNames)[number];

/** Returns the path parameter exactly as the caller wrote it: the service does not state whether look-ups ignore case. */
export function idOrUuidOf(reference: { documentId: string } | { uuid: string }): string {
  return 'documentId' in reference ? numericId(reference.documentId, 'documentId') : reference.uuid;
}

/** Returns the latest stored validation; null when the document was never validated (404). */
export function latestValidation(upstream: Upstream, idOrUuid: string): Promise<MexicoValidation | null> {
  return upstream.call<MexicoValidation | null>({
    endpoint: mexicoValidationEndpoint,
    parameters: { idOrUuid },
    ifUnknown: null,
    decode: (body, report) =>
      decodeValidation(recordIn(readResponse(body, 'validation', report), signsOfValidation), idOrUuid),
  });
}

/** Members without any of which a response is not a validation. */
const signsOfValidation = ['validation_result', 'invalid_reason', 'validatedAt', 'steps'];

/** Doubt about one member does not hide the others. `asked`: the id or UUID that was looked up. */
function decodeValidation(wire: WireObject, asked: string) {
  const rawResult = textOf(wire, 'validation_result') ?? '';
  if (!signsOfValidation.some((name) => (wire.raw(name) ?? null) !== null))
    required(null, 'validation_result');
  const steps = wire.object('steps');
  return wire.finish({
    documentId: wire.id('documentId') ?? asked,
    /** null: the service sends none, or in another form (`rawUuid`). */
    uuid: uuidIn(wire),
    rawUuid: textOf(wire, 'uuid'),
    result: knownWord(rawResult, ['VALID', 'INVALID'], () => wire.reportUnknownWord('validation_result')),
    rawResult,
    /** null: the service sends none, or one that cannot be read (`rawValidatedAt`). */
    validatedAt: wire.dateTime('validatedAt'),
    rawValidatedAt: textOf(wire, 'validatedAt'),
    invalidReason: wire.texts('invalid_reason'),
    steps: steps ? decodeSteps(steps) : [],
  });
}

/** Decodes the steps in the order schema, authority status, RFC, then steps with other names. */
function decodeSteps(wire: WireObject): MexicoValidationStep[] {
  const authority = authorityKeyIn(wire);
  const nameOf = (key: string) => (key === authority ? 'AUTHORITY_STATUS' : stepNameOf(key));
  const placeOf = (key: string) => stepNames.indexOf(nameOf(key));
  const keys = Object.keys(wire.members).sort((a, b) => placeOf(a) - placeOf(b));
  return keys.flatMap((key) => {
    if (nameOf(key) === 'OTHER' && key !== 'authorityStatus') wire.reportUnknownWord(key);
    const step = wire.object(key);
    if (step) return [decodeStep(key, nameOf(key), step)];
    if (wire.members[key] === null) wire.reportMistyped(key);
    return [];
  });
}

/**
 * Returns the key of the tax authority's step. docs/service.md calls it `authorityStatus`, but the service may use another
 * name: then it is the only step besides `schema` and `rfc`.
 */
function authorityKeyIn({ members }: WireObject): string | undefined {
  if (oneObject(members['authorityStatus'])) return 'authorityStatus';
  const others = Object.keys(members).filter((key) => stepNameOf(key) === 'OTHER' && oneObject(members[key]));
  return others.length === 1 ? others[0] : undefined;
}

function stepNameOf(key: string): StepName {
  const name = key.toLowerCase();
  if (name === 'schema') return 'SCHEMA';
  return name === 'rfc' ? 'RFC' : 'OTHER';
}

function decodeStep(key: string, name: StepName, wire: WireObject) {
  const rawResult = textOf(wire, 'result') ?? '';
  return wire.finish({
    name,
    key,
    result: knownWord(rawResult, ['PASS', 'FAIL'], () => wire.reportUnknownWord('result')),
    rawResult,
    detail: wire.texts('detail'),
  });
}

/** A text, a number or a Boolean, as text. */
function textOf(wire: WireObject, name: string): string | null {
  const value = wire.raw(name);
  return typeof value === 'object' || value === undefined ? null : String(value);
}

function uuidIn(wire: WireObject): string | null {
  const uuid = wire.string('uuid');
  return uuid === null || uuidForm.test(uuid) ? uuid : wire.reportMistyped('uuid');
}

/** Returns `raw` if it is one of the documented words, otherwise UNKNOWN. */
function knownWord<Word extends string>(
  raw: string,
  words: readonly Word[],
  onUnknown: () => void,
): Word | 'UNKNOWN' {
  const known = words.find((word) => word === raw);
  if (known === undefined) onUnknown();
  return known ?? 'UNKNOWN';
}
