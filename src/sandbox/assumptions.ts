/**
 * Switches that turn an assumption of docs/service.md round: the sandbox then behaves as a service for which it is wrong.
 * Each is named like the assumption.
 */
import type { CallEntry } from './call-log.ts';
import { HttpError, isObject, type JsonObject, json, problem, type Reply } from './http.ts';
import type { EndpointName } from './named-endpoints.ts';

/** A call to an endpoint, with the reply of the plain sandbox. */
interface HandledCall {
  readonly entry: CallEntry;
  readonly reply: Reply;
}

/** Returns the reply of a service for which the assumption is wrong; the plain reply where it makes no difference. */
type Switch = (call: HandledCall) => Reply;

/** A switch that changes successful replies of some endpoints. */
function changed(
  endpoints: EndpointName | readonly EndpointName[],
  change: (body: JsonObject) => unknown,
  status = 200,
): Switch {
  return ({ entry, reply }) =>
    reply.status === 200 && [endpoints].flat().some((name) => name === entry.endpoint)
      ? json(status, change(JSON.parse(reply.body) as JsonObject))
      : reply;
}

/** A switch that refuses calls to an endpoint that a plain service accepts. */
function refused(endpoint: EndpointName, isRefused: (entry: CallEntry) => boolean, status = 400): Switch {
  return ({ entry, reply }) =>
    entry.endpoint === endpoint && isRefused(entry)
      ? problem(status, 'The service refused the call.')
      : reply;
}

/** A switch that refuses imports. `accepts`: imports that are accepted although the plain sandbox refuses them. */
function refusedImport(
  isRefused: (invoice: JsonObject) => boolean,
  accepts = (_invoice: JsonObject) => false,
): Switch {
  return (call) => {
    if (call.entry.endpoint !== 'malaysiaImport') return call.reply;
    const invoice = sentJson(call.entry);
    if (accepts(invoice)) return json(200, { docId: 2001, message: 'The document has been queued.' });
    return refused('malaysiaImport', () => isRefused(invoice))(call);
  };
}

function sentJson({ body }: CallEntry): JsonObject {
  return typeof body === 'string' && body.startsWith('{') ? (JSON.parse(body) as JsonObject) : {};
}

/** The value with other names of members, on all levels. */
function renamed(value: unknown, names: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [names[name] ?? name, renamed(member, names)]),
  );
}

/** Replaces texts that match, wherever they are. */
function replaced(value: unknown, pattern: RegExp, replacement: string): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(pattern, replacement));
}

const linesOf = (invoice: JsonObject) => (invoice['lines'] ?? []) as readonly JsonObject[];
const taxesOf = (invoice: JsonObject) =>
  linesOf(invoice).flatMap((line) => (line['taxes'] ?? []) as JsonObject[]);
const has = (value: unknown, name: string) => isObject(value) && Object.hasOwn(value, name);
const amountsAre = (type: string) => (invoice: JsonObject) =>
  linesOf(invoice).some(({ amountExclTax }) => typeof amountExclTax === type);
const isOfType = (docType: string) => (invoice: JsonObject) => invoice['docType'] === docType;
const idsAre = (type: string) => (entry: CallEntry) =>
  [sentJson(entry)['docIds'] ?? []].flat().some((id) => typeof id === type);

/** In the order in which they apply: a switch does not hide what a later one changes. */
const switches: Readonly<Record<string, Switch>> = {
  'malaysia-credentials': (call) =>
    ['malaysiaImport', 'malaysiaStatus'].includes(call.entry.endpoint ?? '') &&
    !call.entry.headers['authorization']
      ? problem(401, 'The header Authorization is missing.')
      : call.reply,
  'id-look-ups': refused('mexicoStatus', ({ path }) => path.includes('%')),
  'folio-in-capitals': changed('mexicoStatus', (body) => ({
    ...body,
    uuid: String(body['uuid']).toLowerCase(),
  })),
  'integer-ids': (call) =>
    call.entry.endpoint === 'export' && idsAre('string')(call.entry)
      ? json(200, { exportDocumentByDocIds: { data: '"Name"\r\n"A"', message: '' } })
      : refused('export', idsAre('number'))(call),
  'handwritten-format': refused('scan', ({ handwritten }) => String(handwritten).startsWith('[')),
  'box-centre': changed('scan', (body) =>
    replaced(body, /(\[(?:[\d.]+,){4})([\d.]+),([\d.]+)(?=,")/g, '$1$3,$2'),
  ),
  'scan-has-id': changed('scan', (body) => renamed(body, { docId: 'document' })),
  'day-first': changed('scan', (body) =>
    replaced(body, /"(\d\d)([-/.])(\d\d)[-/.](\d{4})"/g, '"$3$2$1$2$4"'),
  ),
  'export-csv': changed('export', ({ exportDocumentByDocIds: result }) => {
    const { data, message } = result as { data: string; message: string };
    return { exportDocumentByDocIds: { data: data.replaceAll('""', '\\"'), message } };
  }),
  'authority-step': changed('mexicoStatus', (body) => {
    const step = { result: 'PASS', detail: null };
    return renamed(
      { ...body, steps: { ...(body['steps'] as object), list: step } },
      { authorityStatus: 'authority' },
    );
  }),
  'not-found-status': (call) =>
    call.entry.endpoint === 'mexicoStatus' && call.reply.status === 404
      ? { status: 404, headers: { 'content-type': 'text/html' }, body: '<html><body>Not found</body></html>' }
      : call.reply,
  'iso-times': changed('mexicoStatus', (body) => ({ ...body, validatedAt: '11/02/2026 09:30' })),
  'fapiao-header-encoding': refused('fapiao', ({ headers }) => (headers['name'] ?? '').includes('%')),
  'fapiao-xml-root': refused('fapiao', ({ body }) => /<\w+:EInvoice/.test(String(body))),
  'fapiao-xml-encoding': refused('fapiao', ({ body }) => /encoding="(?!utf-8)/i.test(String(body))),
  'portal-details': changed(['malaysiaImport', 'malaysiaStatus'], (body) =>
    renamed(body, { submissionId: 'batchNumber', uuid: 'portalNumber' }),
  ),
  'status-after-import': (call) =>
    call.entry.endpoint === 'malaysiaStatus' && /"status":"(queued|submitted)"/.test(call.reply.body)
      ? problem(400, 'The document is being processed.')
      : call.reply,
  'status-failure': changed('malaysiaStatus', (body) =>
    body['status'] === 'failed' ? { status: 'failed', message: body['message'] } : body,
  ),
  'status-reason': changed('malaysiaStatus', (body) => renamed(body, { message: 'keterangan' })),
  'status-words': changed('malaysiaStatus', (body) => ({ ...body, status: 'diterima' })),
  'status-place': changed('malaysiaStatus', (body) => renamed(body, { status: 'phase' })),
  'number-amounts': refusedImport(amountsAre('number'), amountsAre('string')),
  'party-objects': refusedImport(({ supplier }) => has(supplier, 'address')),
  'optional-members': refusedImport((invoice) => !has(invoice, 'supplier')),
  'totals-signs': refusedImport(
    (invoice) => isOfType('credit_note')(invoice) && /:\d/.test(JSON.stringify(invoice['totals'] ?? {})),
  ),
  'other-tax-types': refusedImport((invoice) =>
    taxesOf(invoice).some(({ type }) => type !== 'SALES_TAX' && type !== 'SERVICE_TAX'),
  ),
  'self-billed-signs': refusedImport(
    (invoice) =>
      isOfType('self_billed_credit_note')(invoice) &&
      linesOf(invoice).some(({ amountExclTax }) => Number(amountExclTax) < 0),
  ),
  'errors-in-200': ({ reply }) =>
    reply.status === 401 ? json(200, { errors: [{ message: 'The credentials are missing.' }] }) : reply,
  'id-proves-write': changed('createGroup', (body) => renamed(body, { id: 'groupNumber' })),
  'error-texts': ({ reply }) =>
    reply.status === 400
      ? json(400, { fault: { number: 17, explanation: { en: 'Not a document.' } } })
      : reply,
  'group-members': changed('createGroup', (body) => renamed(body, { uid: 'owner', queueCount: 'count' })),
  'result-statuses': changed('createGroup', (body) => body, 300),
};

/** The names of the assumptions that can be turned round. */
export const assumptionNames = Object.keys(switches);

export type Assumptions = ReturnType<typeof createAssumptions>;

export function createAssumptions() {
  let wrong: readonly string[] = [];
  return {
    get wrong() {
      return wrong;
    },
    /** Sets the assumptions that are wrong from now on; an empty list: none. Throws a 400 for an unknown name. */
    set({ wrong: names }: JsonObject) {
      const isKnown = (name: unknown) => assumptionNames.includes(name as string);
      if (!Array.isArray(names) || !names.every(isKnown)) {
        throw new HttpError(400, `wrong must be a list of ${assumptionNames.join(', ')}.`);
      }
      wrong = assumptionNames.filter((name) => names.includes(name));
    },
    apply: (entry: CallEntry, reply: Reply) =>
      wrong.reduce((before, name) => switches[name]?.({ entry, reply: before }) ?? before, reply),
  };
}
