import type { Endpoint } from '../endpoint.ts';
import { HttpError, json } from '../http.ts';

/**
 * `GET /v2/einvoice/mexico/status/{idOrUuid}`. Documents 1001 to 1005 have validations for every tenant; every other
 * document was never validated. UUIDs are compared case-sensitively, because the service does not state that look-ups
 * ignore case.
 */
export function mexicoStatus(): Endpoint {
  return {
    method: 'GET',
    path: /^\/v2\/einvoice\/mexico\/status(?:\/([^/]*))?$/,
    requiredCredentials: ['apiKey', 'authorization'],
    inputs: {
      'Mexico: `documentId`': {
        '`1001`': 'VALID',
        '`1002`': 'INVALID: cancelled',
        '`1003`': 'VALID',
        '`1004`': 'INVALID: the schema step failed',
        '`1005`': 'INVALID: the RFC is on list 69-B',
        '`1999`, any other': 'never validated: null',
      },
    },
    handle({ parameter, note }) {
      note({ idOrUuid: parameter });
      const validation = validations.find(lookup(parameter));
      if (!validation) throw new HttpError(404, 'No validation record exists for the document.');
      return json(200, validation);
    },
  };
}

function lookup(idOrUuid: string): (validation: Validation) => boolean {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(idOrUuid)) {
    return ({ uuid }) => uuid === idOrUuid;
  }
  if (!/^\d{1,40}$/.test(idOrUuid)) {
    throw new HttpError(400, 'idOrUuid is neither a CFDI uuid nor a numeric document id.');
  }
  return ({ documentId }) => documentId === idOrUuid;
}

interface Step {
  readonly result: 'PASS' | 'FAIL';
  readonly detail: string | null;
}

interface Validation {
  readonly documentId: string;
  readonly uuid: string;
  readonly validation_result: 'VALID' | 'INVALID';
  readonly validatedAt: string;
  readonly invalid_reason: string | null;
  readonly steps: Readonly<Partial<Record<'schema' | 'authorityStatus' | 'rfc', Step>>>;
}

const pass: Step = { result: 'PASS', detail: null };
const valid = {
  validation_result: 'VALID',
  invalid_reason: null,
  steps: { schema: pass, authorityStatus: pass, rfc: pass },
} as const;

/** `passed`: the steps that passed before the step `failed`. */
function invalid(passed: Validation['steps'], failed: keyof Validation['steps'], reason: string) {
  return {
    validation_result: 'INVALID',
    invalid_reason: reason,
    steps: { ...passed, [failed]: { result: 'FAIL', detail: reason } },
  } as const;
}

const cancelled = 'The CFDI was cancelled before the tax authority.';
const attributeMissing = "The required attribute 'LugarExpedicion' is missing.";
const listed = 'El RFC del emisor se encuentra en el listado definitivo del artículo 69-B del CFF.';

/** The latest run of each document. */
const validations: readonly Validation[] = [
  {
    documentId: '1001',
    uuid: '5F1C0A3E-7B42-4D1A-9C66-0A1B2C3D1001',
    validatedAt: '2026-02-11T09:30:00.000Z',
    ...valid,
  },
  {
    documentId: '1002',
    uuid: '8D27E6B4-19C0-0F3B-E5A8-4C5D6E7F1002',
    validatedAt: '2026-02-12T16:05:41.250Z',
    ...invalid({ schema: pass }, 'authorityStatus', cancelled),
  },
  {
    documentId: '1003',
    uuid: 'C3B9F071-52DE-9E84-07D1-8E9FA0B11003',
    validatedAt: '2026-02-13T20:15:30.000Z',
    ...valid,
  },
  {
    documentId: '1004',
    uuid: '0E64D8A2-F3B7-1C95-B21E-C2D3E4F51004',
    validatedAt: '2026-02-14T11:45:09.007Z',
    ...invalid({}, 'schema', attributeMissing),
  },
  {
    documentId: '1005',
    uuid: 'A9805B1D-6E2F-F7C0-3D49-06A7B8C91005',
    validatedAt: '2026-02-15T22:59:59.999Z',
    ...invalid({ schema: pass, authorityStatus: pass }, 'rfc', listed),
  },
];
