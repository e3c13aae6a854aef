/** Every combination of what can vary in a response of the service, for each endpoint. */
import type { EndpointCase } from './endpoints.ts';

/** A reason in the service's words. */
export const errorText = 'docNumber INV-20260001 exists';

const envelopes = ['as documented', 'under data', 'list of one', 'absent'] as const;
/** Those of a response with a result. The gateway makes no difference between them. */
const resultStatuses: readonly number[] = [200, 201, 202, 203, 206, 207, 208, 299];
const statuses = [
  ...[...resultStatuses, 204, 205, 302],
  ...[400, 401, 403, 404, 408, 409, 413, 415, 422, 423, 429, 500, 501, 502, 503, 504],
] as const;
/** Errors of a GraphQL service in a response with status 200: next to the record or instead of it. */
interface ErrorsCase {
  readonly list: unknown;
  readonly isInstead: boolean;
  /** The code with which they prove that nothing was done, if the response has no record. */
  readonly refusal?: string;
}

const withCodes = (...codes: unknown[]) =>
  codes.map((code) => ({ message: errorText, extensions: code && { code } }));

const errorCases: readonly (ErrorsCase | undefined)[] = [
  undefined,
  { list: withCodes(undefined), isInstead: false },
  { list: withCodes('UNAUTHENTICATED'), isInstead: false, refusal: 'UNAUTHENTICATED' },
  ...['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', 'BAD_USER_INPUT'].map((refusal) => ({
    ...{ list: withCodes(refusal), isInstead: true, refusal },
  })),
  { list: withCodes('UNAUTHENTICATED', 'FORBIDDEN'), isInstead: true, refusal: 'UNAUTHENTICATED' },
  ...[
    ...[undefined, 'TIMEOUT', 'unauthenticated', 401, '__proto__'].map((code) => withCodes(code)),
    ...[withCodes('UNAUTHENTICATED', 'TIMEOUT'), withCodes('TIMEOUT', 'UNAUTHENTICATED')],
    ...[undefined, null, [], [null], 'UNAUTHENTICATED', { extensions: { code: 'TIMEOUT' } }],
  ].map((list) => ({ list, isInstead: true })),
];

/** Values of each type. The last one breaks code that converts any value. */
const odd: readonly unknown[] = [true, 'x', -1.5, [], {}, ['x', 5], { toString: 1, valueOf: 1 }];

/** Members of errors that other services send, which code may look for. */
export const addedMembers = ['id', 'code', 'statusCode', 'success', 'title', 'path'];

export function hasResult(status: number): boolean {
  return resultStatuses.includes(status);
}

interface Variant {
  readonly what: string;
  readonly member?: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/**
 * The record, with each member null, absent, of other types or alone, and with members that are not documented, also some
 * that errors of other services have.
 */
function variantsOf({ record }: EndpointCase): Variant[] {
  const variants: Variant[] = [
    { what: 'complete', record },
    { what: 'with a new member', record: { ...record, newMember: { id: 9, status: 'rejected' } } },
  ];
  const added = (value: unknown) =>
    Object.fromEntries(addedMembers.filter((name) => !(name in record)).map((name) => [name, value]));
  for (const [member, value] of Object.entries(record)) {
    variants.push({ what: 'null', member, record: { ...record, [member]: null } });
    const { [member]: _absent, ...rest } = record;
    variants.push({ what: 'absent', member, record: rest });
    for (const other of odd) {
      const json = JSON.stringify(other);
      variants.push({ what: `alone with ${json}`, member, record: { [member]: value, ...added(other) } });
      if (typeOf(other) === typeOf(value)) continue;
      variants.push({ what: `of another type: ${json}`, member, record: { ...record, [member]: other } });
    }
  }
  return variants;
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value;
}

export interface ResponseCase {
  readonly endpoint: EndpointCase;
  readonly status: number;
  readonly form: 'json' | 'text' | 'html' | 'empty';
  readonly envelope: (typeof envelopes)[number];
  readonly errors: ErrorsCase | undefined;
  readonly variant: Variant;
  readonly contentType: string;
  readonly body: string;
}

function bodyOf(
  { envelope }: EndpointCase,
  placed: ResponseCase['envelope'],
  errors: ResponseCase['errors'],
  { record }: Variant,
): unknown {
  const reported = errors ? { errors: errors.list } : {};
  if (errors?.isInstead) {
    const nothing = envelope ? { [envelope]: null } : {};
    if (placed === 'as documented') return { ...nothing, ...reported };
    if (placed === 'under data') return { data: nothing, ...reported };
    return placed === 'absent' ? reported : { data: null, ...reported };
  }
  const isListed = placed === 'list of one';
  const wrapped = envelope ? { [envelope]: isListed ? [record] : record } : record;
  if (placed === 'absent') return { ...(envelope ? record : {}), ...reported };
  if (placed === 'under data') return { data: wrapped, ...reported };
  return isListed && !envelope ? [{ ...wrapped, ...reported }] : { ...wrapped, ...reported };
}

/** Bodies without a record and without errors. */
function recordless({ envelope }: EndpointCase): unknown[] {
  const values = ['done', true, [{}], { message: errorText }, { message: errorText, errors: [] }];
  return [null, [], {}, ...values.map((value) => (envelope ? { [envelope]: value } : value))];
}

/** All responses to the endpoint's call. */
export function* responsesTo(endpoint: EndpointCase): Generator<ResponseCase> {
  const [complete, ...others] = variantsOf(endpoint) as [Variant, ...Variant[]];
  const base = { endpoint, envelope: 'as documented', errors: undefined, variant: complete } as const;
  const json = { endpoint, form: 'json', contentType: 'application/json; charset=utf-8' } as const;
  for (const status of statuses) {
    yield { ...base, status, form: 'text', contentType: 'text/plain', body: errorText };
    yield { ...base, status, form: 'html', contentType: 'text/html', body: '<html><h1>No</h1></html>' };
    yield { ...base, status, form: 'empty', contentType: 'application/json', body: '' };
    for (const body of recordless(endpoint)) {
      const variant = { what: 'no record', record: {} };
      yield { ...base, ...json, status, envelope: 'absent', variant, body: JSON.stringify(body) };
    }
    for (const [at, errors] of errorCases.entries()) {
      // With every status but one, each form of errors is in another place.
      const place = envelopes[
        (at + statuses.indexOf(status)) % envelopes.length
      ] as (typeof envelopes)[number];
      for (const envelope of status === 200 ? envelopes : [place]) {
        const isCombined = status === 200 || (status === 299 && !errors);
        for (const variant of isCombined && !errors?.isInstead ? [complete, ...others] : [complete]) {
          const body = JSON.stringify(bodyOf(endpoint, envelope, errors, variant));
          yield { ...json, status, envelope, errors, variant, body };
        }
      }
    }
  }
}
