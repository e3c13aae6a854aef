/** Decisions that rest on Malaysian imports, which write, and on the statuses of Malaysian documents. */
import { setTimeout as pause } from 'node:timers/promises';
import { hasPortalShape } from '../../src/features/malaysia/gov-portal.ts';
import { partsOf } from '../../src/features/malaysia/status-parts.ts';
import { decodeStatus } from '../../src/features/malaysia/status-response.ts';
import { isObject } from '../../src/tools/is-object.ts';
import { UndecodableError, WireObject } from '../../src/upstream/decode.ts';
import { malaysiaPath } from './reads.ts';
import {
  at,
  type Decide,
  type Decision,
  decideAccepted,
  holds,
  isAccepted,
  type ServiceCalls,
  type ServiceResponse,
  undecided,
  wrong,
} from './service-calls.ts';

type Invoice = Readonly<Record<string, unknown>>;

const run = Date.now().toString(36);
const line = (amountExclTax: number | string, type = 'SALES_TAX') => ({
  amountExclTax,
  taxes: [{ type, amount: typeof amountExclTax === 'string' ? amountExclTax : amountExclTax / 10 }],
});
const address = {
  line1: '1 Example Street',
  city: 'Kuala Lumpur',
  stateCode: '14',
  postcode: '50000',
  country: 'MYS',
};

/** Uses what is assumed about amounts, parties and tax types. A sandbox lets a number that ends in -FAIL fail later. */
const original: Invoice = {
  docType: 'invoice',
  docNumber: `FOLIO-PROVE-${run}-FAIL`,
  supplier: { address, contact: { telephone: '+60300000000' } },
  lines: [line(10), line(20, 'TOURISM_TAX')],
};
const note = (docType: string, details: Invoice): Invoice => ({
  docType,
  reference: { originalInvoiceCodeNumber: original['docNumber'] },
  supplier: {},
  lines: [line(-10)],
  ...details,
});

let numbers = 0;

/** Imports an invoice once under its name; each import has a number of its own. */
function imported(service: ServiceCalls, name: string, invoice: Invoice): Promise<ServiceResponse> {
  return service.once(`import ${name}`, () => {
    numbers += 1;
    const docNumber = invoice['docNumber'] ?? `FOLIO-PROVE-${run}-${numbers}-FAIL`;
    const path = `/v2/einvoice/malaysia/queue/${encodeURIComponent(service.options.queue ?? '')}`;
    return service.post(path, JSON.stringify({ ...invoice, docNumber }));
  });
}

const importOriginal = (service: ServiceCalls) => imported(service, 'original', original);

/** The same invoice in the form that a service may expect instead, by the assumption that is then wrong. */
const otherwise = {
  'number-amounts': { lines: [line('10')] },
  'party-objects': { supplier: address },
  'other-tax-types': { lines: [line(10)] },
} as const;

const importOtherwise = (service: ServiceCalls, id: keyof typeof otherwise) =>
  imported(service, id, { ...original, ...otherwise[id], docNumber: undefined });

/** The original, or the first of its other forms that the service accepts; undefined when it accepts none. */
async function acceptedOriginal(service: ServiceCalls): Promise<ServiceResponse | undefined> {
  const assumed = await importOriginal(service);
  if (isAccepted(assumed)) return assumed;
  for (const id of Object.keys(otherwise) as (keyof typeof otherwise)[]) {
    const response = await importOtherwise(service, id);
    if (isAccepted(response)) return response;
  }
  return undefined;
}

/** With the fewest members. In a sandbox -NOW is submitted to the portal at once. */
const importLeast = (service: ServiceCalls) =>
  imported(service, 'least', { docType: 'invoice', docNumber: `FOLIO-PROVE-${run}-NOW`, lines: [] });

interface SeenStatus {
  readonly response: ServiceResponse;
  readonly status: ReturnType<typeof decodeStatus> | undefined;
  /** Whether a state was found that describes the call. */
  readonly isAboutCall: boolean;
}

function read({ assumptions }: ServiceCalls, response: ServiceResponse, id: string): SeenStatus {
  try {
    const status = decodeStatus(response.json, id, () => {}, assumptions.malaysiaStatus);
    return { response, status, isAboutCall: false };
  } catch (error) {
    if (!(error instanceof UndecodableError)) throw error;
    const wire = isObject(response.json) ? new WireObject(response.json, 'status', () => {}) : undefined;
    const texts = wire ? partsOf(wire).flatMap((part) => part.texts) : [];
    return { response, status: undefined, isAboutCall: texts.length > 0 };
  }
}

/** The statuses of one document: until its state cannot be read or is final, or the wait is over. */
async function follow(service: ServiceCalls, id: string, isLong: boolean): Promise<SeenStatus[]> {
  const { waitMs, pauseMs } = service.options;
  const end = performance.now() + (isLong ? waitMs : 0);
  const seen: SeenStatus[] = [];
  for (;;) {
    const latest = read(service, await service.send(malaysiaPath(id)), id);
    seen.push(latest);
    const isOpen = latest.response.status === 404 || /^(QUEUED|SUBMITTED)$/.test(latest.status?.state ?? '');
    if (!isOpen || performance.now() >= end) return seen;
    await pause(pauseMs);
  }
}

/** The statuses of the imports, the original first, and of the document that was named. */
async function statuses(service: ServiceCalls): Promise<{ ofImport: SeenStatus[]; all: SeenStatus[] }> {
  return await service.once('statuses', async () => {
    const writes = service.options.queue !== undefined;
    const idOf = (response: ServiceResponse | undefined) =>
      response && isAccepted(response) ? String(at(response.json, 'docId') ?? '') : '';
    const followed = writes ? idOf(await acceptedOriginal(service)) : '';
    const ofImport = followed ? await follow(service, followed, true) : [];
    const others = [writes ? idOf(await importLeast(service)) : '', service.options.malaysia].filter(Boolean);
    const rest = await Promise.all(others.map((id) => follow(service, id, false)));
    return { ofImport, all: [...ofImport, ...rest.flat()].filter(({ response }) => isAccepted(response)) };
  });
}

async function decideOriginal(
  service: ServiceCalls,
  id: keyof typeof otherwise,
  what: string,
): Promise<Decision> {
  return await decideAccepted(await importOriginal(service), () => importOtherwise(service, id), what);
}

const noStatus = undecided('there is no status to read: name a Malaysian document with --malaysia');

export const statusDecisions: Readonly<Record<string, Decide>> = {
  async 'status-place'(service) {
    const { all } = await statuses(service);
    if (all.length === 0) return noStatus;
    return all.some(({ status, isAboutCall }) => !status && !isAboutCall)
      ? wrong('a status has no state under the usual names')
      : holds('the state is found');
  },

  async 'status-words'(service) {
    const { all } = await statuses(service);
    const states = all.flatMap(({ status }) => status ?? []);
    const unknown = states.find(({ state }) => state === 'UNKNOWN');
    if (unknown) return wrong(`the word "${unknown.rawState.slice(0, 40)}" is not known`);
    return states.length > 0
      ? holds(`the known words: ${[...new Set(states.map(({ rawState }) => rawState))].join(', ')}`)
      : noStatus;
  },

  async 'status-reason'(service) {
    const { all } = await statuses(service);
    const ended = all.filter(
      ({ status, isAboutCall }) => isAboutCall || status?.state === 'REJECTED' || status?.state === 'FAILED',
    );
    if (ended.length === 0) return undecided('no document was rejected or failed: name one with --malaysia');
    if (ended.every(({ status }) => (status?.message ?? null) !== null)) return holds('the reason is found');
    const hasText = ended.some(
      ({ status, response }) => status?.message === null && / \w+ /.test(response.text),
    );
    return hasText
      ? wrong('a reason is not found, though the response has a text')
      : undecided('no reason was sent');
  },

  async 'status-failure'(service) {
    const { all } = await statuses(service);
    if (all.some(({ isAboutCall }) => isAboutCall))
      return wrong('a status of a document is read as one of the call');
    return all.some(({ status }) => status?.state === 'FAILED')
      ? holds('the failure of a document is read as such')
      : undecided('no document failed: name one with --malaysia');
  },

  async 'portal-details'(service) {
    const { all } = await statuses(service);
    const imports = service.options.queue === undefined ? [] : [await importLeast(service)];
    const bodies = [...imports, ...all.map(({ response }) => response)];
    const isFound = bodies.some(
      ({ json }) => isObject(json) && [json, ...Object.values(json)].some(hasPortalShape),
    );
    if (isFound) return holds('the ids of the portal are found');
    return bodies.some(({ text }) => /"[0-9A-Z]{26}"/.test(text))
      ? wrong('a response has an id of 26 letters and digits that is not found')
      : undecided('no document was submitted to the portal yet');
  },
};

export const importDecisions: Readonly<Record<string, Decide>> = {
  async 'status-after-import'(service) {
    const { ofImport } = await statuses(service);
    const [first] = ofImport;
    if (!first) return undecided('no import was accepted');
    const { status } = first.response;
    if (status !== 200 && status !== 404) return wrong(`the first status after an import is ${status}`);
    return ofImport.at(-1)?.response.status === 404
      ? wrong('the status of an import stays 404')
      : holds(`the first status after an import is ${status}`);
  },

  'number-amounts': (service) => decideOriginal(service, 'number-amounts', 'amounts as numbers'),
  'party-objects': (service) => decideOriginal(service, 'party-objects', 'address and contact as objects'),
  'other-tax-types': (service) => decideOriginal(service, 'other-tax-types', 'another tax type'),

  async 'optional-members'(service) {
    const more = () =>
      imported(service, 'with parties', { docType: 'invoice', supplier: {}, buyer: {}, lines: [] });
    return await decideAccepted(await importLeast(service), more, 'an invoice without parties');
  },

  async 'totals-signs'(service) {
    await importOriginal(service);
    const credit = (name: string, totals: Invoice) =>
      imported(service, name, note('credit_note', { totals }));
    const assumed = await credit('rate in totals', { amount: -11, taxRate: 10 });
    return await decideAccepted(
      assumed,
      () => credit('negative totals', { amount: -11 }),
      'a rate in totals',
    );
  },

  async 'self-billed-signs'(service) {
    await importOriginal(service);
    const selfBilled = (name: string, amount: number) =>
      imported(service, name, note('self_billed_credit_note', { lines: [line(amount)] }));
    const assumed = await selfBilled('negative self-billed note', -10);
    return await decideAccepted(
      assumed,
      () => selfBilled('positive self-billed note', 10),
      'negative amounts there',
    );
  },
};
