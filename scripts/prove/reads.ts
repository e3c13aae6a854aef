/** Decisions that rest on reads: the Mexican validation, the bodies of refusals, and the statuses of all responses. */

import { isObject } from '../../src/tools/is-object.ts';
import { hasResult } from '../../src/upstream/call/failure-table.ts';
import { errorCodesIn, failureOfCode } from '../../src/upstream/call/response-outcome.ts';
import { WireObject } from '../../src/upstream/decode.ts';
import { reasonsIn } from '../../src/upstream/texts/service-texts.ts';
import { at, type Decide, holds, isAccepted, type ServiceCalls, undecided, wrong } from './service-calls.ts';

/** An id that no document has, and the same id percent-encoded. */
const unknownId = '999999999999';
const encodedId = unknownId.replaceAll('9', '%39');

const mexicoPath = (id: string) => `/v2/einvoice/mexico/status/${id}`;
export const malaysiaPath = (id: string) => `/v2/einvoice/malaysia/status/${id}`;

/** The stored validation; undefined when the service has none for the id. */
async function validation(service: ServiceCalls): Promise<WireObject | undefined> {
  const response = await service.get(mexicoPath(service.options.mexico));
  return isAccepted(response) && isObject(response.json)
    ? new WireObject(response.json, 'record', () => {})
    : undefined;
}

const noValidation = undecided('there is no validation to read: name a validated document with --mexico');

export const readDecisions: Readonly<Record<string, Decide>> = {
  async 'malaysia-credentials'(service) {
    const { status, json } = await service.get(malaysiaPath(unknownId), 'none');
    const isRefused = status === 401 || status === 403 || errorCodesIn(json).includes('UNAUTHENTICATED');
    const what = `a status without credentials is answered with ${status}`;
    if (isRefused) return wrong(what);
    return at(json, 'errors') === undefined
      ? holds(what)
      : undecided(`${what} and errors without a known code`);
  },

  async 'id-look-ups'(service) {
    const [plain, encoded] = [
      await service.get(mexicoPath(unknownId)),
      await service.get(mexicoPath(encodedId)),
    ];
    return plain.status === encoded.status
      ? holds('an id is found percent-encoded as it is found plain')
      : wrong(`a percent-encoded id gets ${encoded.status}, the same id gets ${plain.status}`);
  },

  async 'folio-in-capitals'(service) {
    const record = await validation(service);
    const letters = record?.string('uuid')?.replaceAll(/[^a-z]/gi, '') ?? '';
    if (letters === '') return record ? undecided('the record has no folio with letters') : noValidation;
    return letters === letters.toUpperCase()
      ? holds('the stored folio is in capitals')
      : wrong('the stored folio has small letters');
  },

  async 'authority-step'(service) {
    const steps = at((await validation(service))?.members, 'steps');
    if (!isObject(steps)) return noValidation;
    const others = Object.keys(steps).filter((name) => name !== 'schema' && name !== 'rfc');
    if (others.length === 0) return undecided('only the steps schema and rfc ran in this validation');
    return others.length === 1 || others.includes('authorityStatus')
      ? holds(`the third step is ${others.join(', ')}`)
      : wrong(`${others.length} steps are neither schema nor rfc: ${others.join(', ')}`);
  },

  async 'iso-times'(service) {
    const record = await validation(service);
    const time = record?.string('validatedAt') ?? '';
    if (!record || time === '') return noValidation;
    if (record.dateTime('validatedAt') === null) return wrong('validatedAt is not an ISO 8601 time');
    return /(Z|[+-]\d\d(:?\d\d)?)$/i.test(time)
      ? holds('validatedAt is an ISO 8601 time with a zone')
      : undecided('validatedAt has no zone: compare it with the time of the validation');
  },

  async 'not-found-status'(service) {
    const { status, headers, text } = await service.get(mexicoPath(unknownId));
    if (status !== 404) {
      return status >= 200 && status < 300
        ? wrong(`a document without a validation is answered with ${status}`)
        : undecided(`an unknown document is answered with ${status}`);
    }
    const isPage = /html/i.test(headers.get('content-type') ?? '') || text.trimStart().startsWith('<');
    return isPage
      ? wrong('a 404 of the service is an HTML page')
      : holds('a document without a validation is 404');
  },

  async 'error-texts'(service) {
    const { status, json, text } = await service.get(mexicoPath('not-an-id'));
    if (status < 400 || status >= 500) return undecided(`an impossible id is answered with ${status}`);
    if (text.trim() === '') return undecided(`the ${status} has no body`);
    const { key: apiKey, token } = service.options;
    const endpoint = {
      name: 'prove',
      method: 'GET',
      path: '/',
      requiredCredentials: [],
      kind: 'read',
    } as const;
    const caller = { credentials: { apiKey, authorization: `Bearer ${token}` } };
    return reasonsIn(json ?? text, { endpoint, caller }).length > 0
      ? holds(`the reason of a ${status} is found`)
      : wrong(`the reason of a ${status} is not found in its body (${shapeOf(json)})`);
  },

  async 'errors-in-200'(service) {
    const { status, json } = await service.get(mexicoPath(unknownId), 'none');
    if (status === 401 || status === 403) return holds(`missing credentials are ${status}`);
    const codes = errorCodesIn(json);
    if (!isAccepted({ status } as never)) return undecided(`missing credentials are answered with ${status}`);
    return codes.length > 0 && codes.every((code) => failureOfCode.has(code))
      ? holds(`missing credentials are a ${status} with the code ${codes.join(', ')}`)
      : wrong(`missing credentials are a ${status} without a known code`);
  },

  'result-statuses'({ responses }) {
    const unknown = responses
      .map(({ status }) => status)
      .filter((status) => status < 400 && !hasResult(status));
    if (unknown.length > 0)
      return wrong(`the service also responds with ${[...new Set(unknown)].join(', ')}`);
    return responses.some(({ status }) => hasResult(status))
      ? holds('every response with a result has one of the known statuses')
      : undecided('no response had a result');
  },
};

/** The names and types of the members, without values. */
function shapeOf(json: unknown): string {
  if (!isObject(json)) return 'no JSON object';
  return Object.entries(json)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? 'list' : typeof value}`)
    .join(', ');
}
