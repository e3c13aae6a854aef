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
        '`1003`': 'VALID, after an INVALID run',
        '`1004`': 'INVALID: the schema step failed',
        '`1005`': 'INVALID: the RFC is on list 69-B',
        '`1999`, any other': 'never validated: null',
      },
    },
    handle({ parameter, note }) {
      note({ idOrUuid: parameter });
      const history = histories.find(lookup(parameter));
      const latest = history?.runs.at(-1);
      if (history === undefined || latest === undefined) {
        throw new HttpError(404, 'No validation record exists for the document.');
      }
      return json(200, { documentId: history.documentId, uuid: history.uuid, ...latest });
    },
  };
}

function lookup(idOrUuid: string): (history: History) => boolean {
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

interface Run {
  readonly validation_result: 'VALID' | 'INVALID';
  readonly validatedAt: string;
  readonly invalid_reason: string | null;
  readonly steps: Readonly<Partial<Record<'schema' | 'authorityStatus' | 'rfc', Step>>>;
}

interface History {
  readonly documentId: string;
  readonly uuid: string;
  /** Append-only: the last run is the latest. */
  readonly runs: readonly Run[];
}

const pass: Step = { result: 'PASS', detail: null };
const allPassed = { schema: pass, authorityStatus: pass, rfc: pass };

function valid(validatedAt: string): Run {
  return { validation_result: 'VALID', validatedAt, invalid_reason: null, steps: allPassed };
}

/** `before`: the steps that passed before the step `failed`. */
function invalid(validatedAt: string, before: Run['steps'], failed: keyof Run['steps'], reason: string): Run {
  return {
    validation_result: 'INVALID',
    validatedAt,
    invalid_reason: reason,
    steps: { ...before, [failed]: { result: 'FAIL', detail: reason } },
  };
}

const cancelled = 'The CFDI was cancelled before the tax authority.';
const notFound = 'The CFDI was not found by the tax authority.';
const attributeMissing = "The required attribute 'LugarExpedicion' is missing.";
const listed = 'El RFC del emisor se encuentra en el listado definitivo del artículo 69-B del CFF.';

const histories: readonly History[] = [
  {
    documentId: '1001',
    uuid: '5F1C0A3E-7B42-4D1A-9C66-0A1B2C3D1001',
    runs: [valid('2026-02-11T09:30:00.000Z')],
  },
  {
    documentId: '1002',
    uuid: '8D27E6B4-19C0-0F3B-E5A8-4C5D6E7F1002',
    runs: [invalid('2026-02-12T16:05:41.250Z', { schema: pass }, 'authorityStatus', cancelled)],
  },
  {
    documentId: '1003',
    uuid: 'C3B9F071-52DE-9E84-07D1-8E9FA0B11003',
    runs: [
      invalid('2026-02-13T08:00:00.000Z', { schema: pass }, 'authorityStatus', notFound),
      valid('2026-02-13T20:15:30.000Z'),
    ],
  },
  {
    documentId: '1004',
    uuid: '0E64D8A2-F3B7-1C95-B21E-C2D3E4F51004',
    runs: [invalid('2026-02-14T11:45:09.007Z', {}, 'schema', attributeMissing)],
  },
  {
    documentId: '1005',
    uuid: 'A9805B1D-6E2F-F7C0-3D49-06A7B8C91005',
    runs: [invalid('2026-02-15T22:59:59.999Z', { schema: pass, authorityStatus: pass }, 'rfc', listed)],
  },
];
