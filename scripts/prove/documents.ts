/** Decisions that rest on a scan, its export, a new group and Fapiao requests. All of them write. */

import { GatewayError } from '../../src/errors.ts';
import { ParseAllowance } from '../../src/features/document-export/export-table.ts';
import { children } from '../../src/features/fapiao/check-einvoice-xml.ts';
import { headerText } from '../../src/features/fapiao/fapiao.api.ts';
import { textBoxIn } from '../../src/features/scan/text-box.ts';
import { isObject } from '../../src/tools/is-object.ts';
import { WireObject } from '../../src/upstream/decode.ts';
import {
  at,
  type Decide,
  decideAccepted,
  holds,
  isAccepted,
  type ServiceCalls,
  type ServiceResponse,
  undecided,
  wrong,
} from './service-calls.ts';

/** A PNG of one pixel (W3C Portable Network Graphics). */
const emptyCard = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);
/** With quotes: the export shows how they are written. */
const fileName = 'folio "prove".png';

function scan(service: ServiceCalls, handwritten: string): Promise<ServiceResponse> {
  return service.once(`scan ${handwritten}`, () => {
    const form = new FormData();
    form.set(
      'files',
      new Blob([new Uint8Array(service.options.card ?? emptyCard)], { type: 'image/png' }),
      fileName,
    );
    form.set('qid', service.options.queue ?? '');
    form.set('handwritten', handwritten);
    return service.send('/v1/documents/scan/nric', { method: 'POST', body: form, credentials: 'key' });
  });
}

const assumedFlag = ({ assumptions }: ServiceCalls) =>
  assumptions.handwrittenFormat.replace('{value}', 'false');

/** The scan that the service accepts; undefined when it accepts none. */
async function scanned(service: ServiceCalls): Promise<Readonly<Record<string, unknown>> | undefined> {
  for (const flag of [assumedFlag(service), 'false', '[false]']) {
    const response = await scan(service, flag);
    if (isAccepted(response)) return at(response.json, 'scanDocuments') as Readonly<Record<string, unknown>>;
  }
  return undefined;
}

const noScan = undecided('the service accepts no scan');

async function exported(
  service: ServiceCalls,
  write: (id: string) => string,
): Promise<ServiceResponse | undefined> {
  const id = String((await scanned(service))?.['docId'] ?? '');
  if (id === '') return undefined;
  const body = `{"docIds":[${write(id)}]}`;
  return await service.once(`export ${body}`, () => service.post('/v1/documents/export', body));
}

function group(service: ServiceCalls): Promise<ServiceResponse> {
  return service.once('group', () => service.post('/v1/groups', '{"name":"folio prove"}'));
}

function fapiao(service: ServiceCalls, xml: string, name: string): Promise<ServiceResponse> {
  return service.once(`fapiao ${name} ${xml}`, () =>
    service.post('/v2/supernova/models/document/create-fapiao-xml', xml, {
      'content-type': 'application/xml',
      name,
      qid: service.options.queue ?? '',
    }),
  );
}

const einvoice = (prefix = '', more = '') =>
  `<${prefix}EInvoice${prefix ? ' xmlns:f="urn:folio"' : ''}>${children.map((child) => `<${prefix}${child}/>`).join('')}${more}</${prefix}EInvoice>`;
const plainFapiao = (service: ServiceCalls) => fapiao(service, einvoice(), 'folio-prove');

/** The fields of the scan with a text, and all box arrays. */
async function readCard(service: ServiceCalls) {
  const data = (await scanned(service))?.['data'];
  const fields = isObject(data) ? Object.values(data).filter(isObject) : [];
  const matches = fields.flatMap((field) => [at(field, 'matches') ?? []].flat().filter(isObject));
  const small = [at(data, 'SmallBoxes') ?? []].flat().filter(isObject);
  const boxes = [...small, ...matches].flatMap((entry) =>
    ['box', 'keyword', 'value']
      .filter((name) => (at(entry, name) ?? null) !== null)
      .map((name) => [entry, name] as const),
  );
  const dates = fields
    .filter((field) => at(field, 'UIType') === 'Date')
    .flatMap((field) => [at(field, 'matches') ?? []].flat().map((match) => at(match, 'match')));
  return { boxes, dates };
}

export const documentDecisions: Readonly<Record<string, Decide>> = {
  async 'handwritten-format'(service) {
    const flag = assumedFlag(service);
    const other = flag === 'false' ? '[false]' : 'false';
    return await decideAccepted(await scan(service, flag), () => scan(service, other), `handwritten ${flag}`);
  },

  async 'scan-has-id'(service) {
    const result = await scanned(service);
    if (!result) return noScan;
    return (result['docId'] ?? null) === null
      ? wrong('a scan has data and no docId')
      : holds('a scan has its docId');
  },

  async 'box-centre'(service) {
    const { boxes } = await readCard(service);
    const read = boxes.map(([entry, name]) =>
      textBoxIn(new WireObject(entry, 'entry', () => {}), name, null),
    );
    if (read.some((box) => box === null)) return wrong('a box is not a list of six numbers and a text');
    const clear = read
      .filter((box) => box !== null)
      .map(({ left, top, right, bottom, centerX, centerY }) => {
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        return {
          straight: Math.abs(centerX - x) + Math.abs(centerY - y),
          swapped: Math.abs(centerX - y) + Math.abs(centerY - x),
        };
      })
      .filter(({ straight, swapped }) => Math.abs(straight - swapped) > 2);
    if (clear.length === 0)
      return undecided('no box has two different centre coordinates: scan a card with --card');
    return clear.every(({ straight, swapped }) => straight < swapped)
      ? holds(`the centres of ${clear.length} boxes are horizontal, then vertical`)
      : wrong('the centre of a box is not horizontal, then vertical');
  },

  async 'day-first'(service) {
    const { dates } = await readCard(service);
    const numbers = dates
      .map((date) => /^\s*(\d\d?)[-/.](\d\d?)[-/.]\d{4}\s*$/.exec(String(date)))
      .flatMap((found) => (found ? [[Number(found[1]), Number(found[2])] as const] : []));
    if (numbers.some(([first, second]) => first <= 12 && second > 12))
      return wrong('a date has the month first');
    return numbers.some(([first]) => first > 12)
      ? holds('a date has the day first')
      : undecided('no date shows its order: scan a card with --card');
  },

  async 'integer-ids'(service) {
    const asNumber = await exported(service, (id) => id);
    if (!asNumber) return noScan;
    const asText = () => exported(service, (id) => JSON.stringify(id)) as Promise<ServiceResponse>;
    return await decideAccepted(asNumber, asText, 'docIds as integers');
  },

  async 'export-csv'(service) {
    const response = await exported(service, (id) => id);
    const csv = at(response?.json, 'exportDocumentByDocIds', 'data');
    if (typeof csv !== 'string') return undecided('there is no export');
    const table = new ParseAllowance('prove').tableOf(csv);
    if (table instanceof GatewayError) return wrong('the text is not valid CSV');
    const cell = table.value(table.rows[0] ?? [], 'File Name') ?? '';
    if (cell === fileName) return holds('a quote in a value is doubled');
    return csv.includes('prove') && !cell.includes('%22')
      ? wrong('a value with quotes is read as another text')
      : undecided('the export does not have the name of the file');
  },

  async 'id-proves-write'(service) {
    const response = await group(service);
    if (!isAccepted(response)) return undecided(`a new group is answered with ${response.status}`);
    const id = at(response.json, 'createGroup', 'id') ?? null;
    return id === null ? wrong('a new group has no id') : holds('a new group has its id');
  },

  async 'group-members'(service) {
    const response = await group(service);
    if (!isAccepted(response)) return undecided(`a new group is answered with ${response.status}`);
    const missing = ['uid', 'queueCount', 'queues'].filter(
      (name) => (at(response.json, 'createGroup', name) ?? null) === null,
    );
    return missing.length > 0
      ? wrong(`a new group has no ${missing.join(', ')}`)
      : holds('a new group has its members');
  },

  async 'fapiao-header-encoding'(service) {
    const name = headerText('发票 folio-prove', 'name', service.assumptions.fapiaoNameEncoding);
    const response = await fapiao(service, einvoice(), name);
    return await decideAccepted(response, () => plainFapiao(service), 'an encoded name');
  },

  async 'fapiao-xml-root'(service) {
    const response = await fapiao(service, einvoice('f:', '<f:More/>'), 'folio-prove');
    return await decideAccepted(response, () => plainFapiao(service), 'a prefix and a further child');
  },

  async 'fapiao-xml-encoding'(service) {
    const response = await fapiao(
      service,
      `<?xml version="1.0" encoding="GB18030"?>${einvoice()}`,
      'folio-prove',
    );
    return await decideAccepted(response, () => plainFapiao(service), 'XML that declares GB18030');
  },
};
