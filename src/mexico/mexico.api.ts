import { badUserInput, GatewayError } from '../errors.ts';
import type { Upstream } from '../upstream/client.ts';
import { indispensable, readAnswer, Undecodable, type WireObject } from '../upstream/decode.ts';
import { type Endpoint, numericId } from '../upstream/endpoint.ts';

/** Interface document, "Get Mexico validation status". */
export const mexicoValidationEndpoint: Endpoint = {
  operation: 'mexicoValidation',
  method: 'GET',
  path: '/v2/einvoice/mexico/status/{idOrUuid}',
  demands: ['x-api-key', 'authorization'],
  kind: 'read',
};

export type MexicoValidationReference = { readonly documentId: string } | { readonly uuid: string };

export interface MexicoValidation {
  readonly documentId: string;
  readonly uuid: string;
  readonly result: 'VALID' | 'INVALID' | 'UNKNOWN';
  readonly rawResult: string;
  readonly validatedAt: Date;
  readonly invalidReason: string | null;
  readonly steps: readonly MexicoValidationStep[];
}

export interface MexicoValidationStep {
  readonly name: 'SCHEMA' | 'AUTHORITY_STATUS' | 'RFC' | 'OTHER';
  readonly key: string;
  readonly result: 'PASS' | 'FAIL' | 'UNKNOWN';
  readonly rawResult: string;
  readonly detail: string | null;
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const stepNames = { schema: 'SCHEMA', authorityStatus: 'AUTHORITY_STATUS', rfc: 'RFC' } as const;

/** The path parameter, as the caller wrote it: whether look-ups ignore case is not stated. */
export function idOrUuidOf(reference: MexicoValidationReference): string {
  if ('documentId' in reference) return numericId(reference.documentId, 'documentId');
  if (uuidForm.test(reference.uuid)) return reference.uuid;
  throw badUserInput('uuid must have the form 8-4-4-4-12 hexadecimal digits.');
}

/** The latest stored validation; null when none has been run (the service's 404). */
export async function latestValidation(
  upstream: Upstream,
  idOrUuid: string,
): Promise<MexicoValidation | null> {
  try {
    return await upstream.call({
      endpoint: mexicoValidationEndpoint,
      parameters: { idOrUuid },
      decode: (body, report) => decodeValidation(readAnswer(body, 'validation', report)),
    });
  } catch (error) {
    if (error instanceof GatewayError && error.upstream?.status === 404 && error.code === 'NOT_FOUND')
      return null;
    throw error;
  }
}

function decodeValidation(wire: WireObject): MexicoValidation {
  const rawResult = indispensable(wire.text('validation_result'), 'validation_result');
  const steps = wire.object('steps');
  const validation: MexicoValidation = {
    documentId: indispensable(wire.id('documentId'), 'documentId'),
    uuid: indispensableUuid(wire.text('uuid')),
    result: knownWord(rawResult, ['VALID', 'INVALID'], () => wire.unknownWord('validation_result')),
    rawResult,
    validatedAt: indispensable(wire.moment('validatedAt'), 'validatedAt'),
    invalidReason: wire.text('invalid_reason'),
    steps: steps ? decodeSteps(steps) : [],
  };
  wire.done();
  return validation;
}

/** Known steps in the order of a validation run, then whatever the service adds. */
function decodeSteps(wire: WireObject): MexicoValidationStep[] {
  const known = Object.keys(stepNames);
  const added = Object.keys(wire.members).filter((key) => !known.includes(key));
  for (const key of added) wire.unknownWord(key);
  return [...known, ...added].flatMap((key) => {
    const step = wire.object(key);
    return step ? [decodeStep(key, step)] : [];
  });
}

function decodeStep(key: string, wire: WireObject): MexicoValidationStep {
  const rawResult = wire.text('result') ?? '';
  const step: MexicoValidationStep = {
    name: Object.hasOwn(stepNames, key) ? stepNames[key as keyof typeof stepNames] : 'OTHER',
    key,
    result: knownWord(rawResult, ['PASS', 'FAIL'], () => wire.unknownWord('result')),
    rawResult,
    detail: wire.text('detail'),
  };
  wire.done();
  return step;
}

function indispensableUuid(uuid: string | null): string {
  if (uuid !== null && uuidForm.test(uuid)) return uuid;
  throw new Undecodable('the answer has no uuid', { hasEnvelope: true, member: 'uuid' });
}

/** A word that the interface names, or UNKNOWN: what it does not name is never taken for one that it does. */
function knownWord<Word extends string>(
  raw: string,
  words: readonly Word[],
  onUnknown: () => void,
): Word | 'UNKNOWN' {
  const known = words.find((word) => word === raw);
  if (known === undefined) onUnknown();
  return known ?? 'UNKNOWN';
}
