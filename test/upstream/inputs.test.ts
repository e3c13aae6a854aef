/** What the service receives of an input is what its caller wrote, or the input is refused and nothing is sent. */
import { Decimal } from 'decimal.js';
import { describe, expect, it } from 'vitest';
import { anyText } from '../support/any-text.ts';
import { anEInvoice } from '../support/einvoice.ts';
import { fc } from '../support/fast-check.ts';
import { alice } from '../support/gateway.ts';
import { gatewayOfService } from '../support/lifetimes.ts';
import { form } from '../support/raw-http.ts';
import * as does from '../support/service.ts';
import { mutationTransports, type Result, transports } from '../support/transports.ts';

const { service, gateway } = await gatewayOfService();

/** A number; `inQuotes`: as a string, which is sent as a number with the same digits. */
class Written {
  readonly text: string;
  readonly inQuotes: boolean;

  constructor(text: string, inQuotes = false) {
    this.text = text;
    this.inQuotes = inQuotes;
  }
}

/** The name of an enum's value. */
class Word {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

type Value = null | boolean | string | Written | Word | readonly Value[] | Members;
/** Maps, because an object has no member `__proto__` of its own. */
type Members = ReadonlyMap<string, Value>;

const places = ['variables', 'the text of the operation'] as const;
type Place = (typeof places)[number];

/** As JSON in variables. */
function inVariables(value: Value): unknown {
  if (value instanceof Written) return value.inQuotes ? value.text : JSON.rawJSON(value.text);
  if (value instanceof Word) return value.name;
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([name, inner]) => [name, inVariables(inner)]));
  return Array.isArray(value) ? value.map(inVariables) : value;
}

function asLiteral(value: Value): string {
  if (value instanceof Written) return value.inQuotes ? `"${value.text}"` : value.text;
  if (value instanceof Word) return value.name;
  if (value instanceof Map)
    return `{${[...value].map(([name, inner]) => `${name}:${asLiteral(inner)}`).join()}}`;
  return Array.isArray(value) ? `[${value.map(asLiteral).join()}]` : JSON.stringify(value);
}

/** JSON of the service, with its numbers as they are written. */
function read(json: string): Value {
  const reviver = (_name: string, value: unknown, { source }: { source?: string }) => {
    if (typeof value === 'number') return new Written(source as string);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && !(value instanceof Written) ? new Map(Object.entries(value)) : value;
  };
  return JSON.parse(json, reviver as never) as Value;
}

const Exact = Decimal.clone({ precision: 500 });

/** With names in order. Numbers in variables as their value: JavaScript writes them, in the notation that it chooses. */
function comparable(value: Value, place: Place): unknown {
  if (value instanceof Written)
    return place === 'variables'
      ? `number ${new Exact(value.text).plus(0).toFixed()}`
      : `number ${value.text}`;
  if (value instanceof Map) {
    const names = [...value.keys()].sort();
    return ['members', ...names.map((name) => [name, comparable(value.get(name) as Value, place)])];
  }
  return Array.isArray(value) ? ['list', ...value.map((item) => comparable(item, place))] : value;
}

const text = anyText(...'%41% a+b #{$} {value} $1$& 1.10 """'.split(' '), 'x'.repeat(9_000));
const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 22 });
const numbers = [
  ...'0 -0 0.0 1.10 1e3 1E-2 1e21 1e22 -1.5e+10 1e99 1e-99 1e400 1e-400 0.1 0.30000000000000004'.split(' '),
  ...'9007199254740993 123456789012345.67 5e-324 1.7976931348623157e308 0.00000000000000001'.split(' '),
  ...['9'.repeat(60), '9'.repeat(400), `1.${'0'.repeat(30)}`, '4294967296'],
];
const number = fc.oneof(
  fc.constantFrom(...numbers),
  fc
    .tuple(fc.constantFrom('', '-'), digits, digits)
    .map(([sign, whole, part]) => `${sign}${BigInt(whole)}${part && `.${part}`}`),
);
const amount = fc.tuple(number, fc.boolean()).map(([written, inQuotes]) => new Written(written, inQuotes));

/** Some of these members, each with a value or null. */
function members(values: Readonly<Record<string, fc.Arbitrary<Value>>>, required: readonly string[] = []) {
  const all = Object.entries(values).map(([name, value]) =>
    required.includes(name)
      ? value.map((each) => [name, each] as const)
      : fc.oneof(value, fc.constantFrom(null, undefined)).map((each) => [name, each] as const),
  );
  return fc
    .tuple(...all)
    .map((found) => new Map(found.filter(([, value]) => value !== undefined) as [string, Value][]));
}

/** JSON objects of any form; in the text of an operation with names of GraphQL. */
function json(place: Place): fc.Arbitrary<Members> {
  const known = fc.constantFrom(...'a __proto__ toString _1 constructor extra currency toJSON'.split(' '));
  const name = place === 'variables' ? fc.oneof(known, text) : known;
  const { object } = fc.letrec<{ value: Value; object: Members }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      text,
      number.map((written) => new Written(written)),
      fc.constantFrom(null, true, false),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc
      .uniqueArray(fc.tuple(name, tie('value')), { selector: ([each]) => each, maxLength: 4 })
      .map((all) => new Map(all)),
  }));
  return object;
}

/** Inputs of `importMalaysiaInvoice`. */
function imports(place: Place): fc.Arbitrary<Members> {
  const extra = json(place);
  const address = { line1: text, city: text, stateCode: text, postcode: text, country: text, extra };
  const party = members({
    address: members(address),
    contact: members({ telephone: text, extra }),
    extra,
  });
  const type = fc.constantFrom('SALES_TAX', 'SERVICE_TAX').map((name) => new Word(name));
  const tax = fc.oneof(
    members({ type, amount, extra }, ['type', 'amount']),
    members({ otherType: text, amount, extra }, ['otherType', 'amount']),
  );
  const taxes = fc.array(tax, { maxLength: 2 });
  const line = members({ amountExclTax: amount, taxes, extra }, ['amountExclTax', 'taxes']);
  const invoice = {
    docType: fc.constantFrom('INVOICE', 'SELF_BILLED_INVOICE', 'CREDIT_NOTE').map((name) => new Word(name)),
    docNumber: text,
    reference: members({ originalInvoiceCodeNumber: text, extra }),
    supplier: party,
    buyer: party,
    lines: fc.array(line, { maxLength: 3 }),
    totals: json(place),
    extra,
  };
  const queueId = fc.oneof(fc.constant('7'), digits, text);
  return members({ queueId, invoice: members(invoice, ['docType', 'docNumber', 'lines']) }, [
    'queueId',
    'invoice',
  ]);
}

/** An object of the schema as the service's document writes it: without null, with what is in `extra` as it is. */
function onWire(input: Members): Members {
  const wire = new Map<string, Value>();
  for (const [name, value] of input) {
    if (value === null || name === 'extra') continue;
    if (value instanceof Word) wire.set(name, name === 'docType' ? value.name.toLowerCase() : value.name);
    else if (name === 'totals' || !(typeof value === 'object'))
      wire.set(name.replace('otherType', 'type'), value);
    else if (value instanceof Map) wire.set(name, onWire(value));
    else wire.set(name, Array.isArray(value) ? value.map((item) => onWire(item as Members)) : value);
  }
  return new Map([...wire, ...((input.get('extra') ?? []) as Members)]);
}

/** The text that a header encodes: printable ASCII is sent as it is, other texts percent-encoded. */
function fromHeader(value: unknown, written: Value | undefined): Value {
  return value === written ? String(value) : decodeURIComponent(String(value ?? ''));
}

interface Case {
  readonly field: string;
  readonly type: string;
  readonly response: object;
  inputs(place: Place): fc.Arbitrary<Members>;
  /** What was received of the input, and what is expected. */
  values(input: Members, received: does.Received): readonly [Value, Value];
}

const cases: readonly Case[] = [
  {
    field: 'createGroup',
    type: 'CreateGroupInput',
    response: { createGroup: { id: 1 } },
    inputs: () => members({ name: text }),
    values: (input, { body }) => [read(body.toString()), onWire(input)],
  },
  {
    field: 'exportDocuments',
    type: 'ExportDocumentsInput',
    response: { exportDocumentByDocIds: { data: '' } },
    inputs: () =>
      members({
        documentIds: fc.array(
          number.map((id) => new Written(id, true)),
          { maxLength: 3 },
        ),
      }),
    values: (input, { body }) => {
      const ids = input.get('documentIds') ?? null;
      return [read(body.toString()), ids === null ? new Map() : new Map([['docIds', ids]])];
    },
  },
  {
    field: 'createFapiao',
    type: 'CreateFapiaoInput',
    response: { createXmlDocument: { requestId: 'r' } },
    inputs: () => {
      const comment = text.map((inner) => `\ufeff<!--\r\n ${inner} -->${anEInvoice()}\r\n\n`);
      const document = members({ xml: comment }, ['xml']);
      return members({ document, name: text, queueId: text }, ['document']);
    },
    values: (input, { body, headers }) => {
      const document = input.get('document') as Members;
      const [name, queueId] = [input.get('name') ?? '', input.get('queueId') ?? ''];
      const received = [
        body.toString(),
        fromHeader(headers['name'], name),
        fromHeader(headers['qid'], queueId),
      ];
      return [received, [document.get('xml') as string, name, queueId]];
    },
  },
  {
    field: 'importMalaysiaInvoice',
    type: 'ImportMalaysiaInvoiceInput',
    response: { docId: 1 },
    inputs: imports,
    values: (input, { path, body }) => {
      const queue = encodeURIComponent(String(input.get('queueId')));
      const expected = [`/v2/einvoice/malaysia/queue/${queue}`, onWire(input.get('invoice') as Members)];
      return [[path, read(body.toString())], expected];
    },
  },
];

const runs = 40;
const anyTransport = fc.constantFrom(...Object.values(mutationTransports));

describe.each(cases)('an input of $field', ({ field, type, response, inputs, values }) => {
  it.each(places)('in %s reaches the service as it was written, or not at all', async (place) => {
    service.will(does.json(200, response));
    let sent = 0;
    const property = fc.asyncProperty(inputs(place), anyTransport, async (input, ask) => {
      service.received.length = 0;
      const [head, argument] =
        place === 'variables' ? [`($input: ${type}!)`, '$input'] : ['', asLiteral(input)];
      const query = `mutation ${head} { result: ${field}(input: ${argument}) { __typename } }`;
      const { data, errors } = await ask(gateway, {
        query,
        variables: { input: inVariables(input) as object },
      });
      const [received, ...more] = service.received;
      expect(more).toEqual([]);
      if (received === undefined) return expectRefusal({ data, errors });
      sent += 1;
      const [actual, expected] = values(input, received);
      expect(comparable(actual, place)).toEqual(comparable(expected, place));
    });
    await fc.assert(property, { numRuns: runs });
    expect(sent).toBeGreaterThan(runs / 10);
  });
});

describe('an input of scanIdentityCard', () => {
  const query =
    'mutation ($input: ScanIdentityCardInput!) { result: scanIdentityCard(input: $input) { __typename } }';
  /** As browsers write it. Two backslashes are one to some receivers. */
  const fileName = text.map((name) =>
    name.replaceAll('\\\\', '').replaceAll(/["\r\n]/g, (character) => encodeURIComponent(character)),
  );
  const mediaType = fc.constantFrom('image/png', 'Text/XML;  charset="GB18030"', 'x', undefined);
  const bytes = fc.uint8Array({ maxLength: 100 }).map((all) => Buffer.from(all));
  const scan = fc.record({ queueId: text, handwritten: fc.boolean(), fileName, mediaType, bytes });

  it('reaches the service as it was written, or not at all', async () => {
    service.will(does.json(200, { scanDocuments: { docId: 1 } }));
    let sent = 0;
    const property = fc.asyncProperty(scan, async ({ queueId, handwritten, fileName, mediaType, bytes }) => {
      service.received.length = 0;
      const begin = form.beforeFile(
        query,
        { input: { file: null, queueId, handwritten } },
        'variables.input.file',
      );
      const type = mediaType === undefined ? [] : [`content-type: ${mediaType}`];
      const head = [
        `--x\r\ncontent-disposition: form-data; name="0"; filename="${fileName}"`,
        ...type,
        '',
        '',
      ];
      const file = [Buffer.from(begin + head.join('\r\n')), bytes, Buffer.from(`\r\n${form.end}`)];
      const body = Buffer.concat(file);
      const response = await fetch(gateway.url, {
        method: 'POST',
        headers: { ...alice, ...form.headers },
        body,
      });
      const result = (await response.json()) as Result;
      const [received] = service.received;
      if (received === undefined) return expectRefusal(result);
      sent += 1;
      const boundary = /boundary=(.*)/.exec(String(received.headers['content-type']))?.[1];
      const name = fileName.replaceAll(/\p{Cc}/gu, (character) => encodeURIComponent(character)) || 'file';
      const part = (parameters: string, ...lines: string[]) =>
        [`--${boundary}`, `content-disposition: form-data; ${parameters}`, ...lines].join('\r\n');
      const fields = [
        part('name="qid"', '', queueId),
        part('name="handwritten"', '', `[${handwritten}]`),
        part(`name="files"; filename="${name}"`, ...type, '', ''),
      ];
      const expected = Buffer.concat([
        Buffer.from(fields.join('\r\n')),
        bytes,
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ]);
      expect(received.body.toString('latin1')).toBe(expected.toString('latin1'));
    });
    await fc.assert(property, { numRuns: runs });
    expect(sent).toBeGreaterThan(runs / 10);
  });
});

describe.each([
  ['malaysiaStatus', 'ID', 'documentId', '/v2/einvoice/malaysia/status/'],
  ['mexicoValidation', 'MexicoValidationReference', 'by', '/v2/einvoice/mexico/status/'],
])('an id of %s', (field, type, name, path) => {
  const uuid = fc.uuid().chain((each) => fc.constantFrom(each, each.toUpperCase(), `{${each}}`, `${each} `));
  const documentId = fc.oneof(text, digits);
  const reference = fc.oneof(
    documentId.map((each) => new Map([['documentId', each]])),
    uuid.map((each) => new Map([['uuid', each]])),
  );
  const id: fc.Arbitrary<Value> = name === 'by' ? reference : documentId;

  it.each(places)('in %s reaches the service as it was written, or not at all', async (place) => {
    service.will(does.json(200, { status: 'queued', validation_result: 'VALID' }));
    let sent = 0;
    const anyOf = fc.constantFrom(...Object.values(transports));
    const property = fc.asyncProperty(id, anyOf, async (value, ask) => {
      service.received.length = 0;
      const [head, argument] = place === 'variables' ? [`($id: ${type}!)`, '$id'] : ['', asLiteral(value)];
      const query = `query ${head} { result: ${field}(${name}: ${argument}) { __typename } }`;
      const variables = place === 'variables' ? { id: inVariables(value) } : {};
      const result = await ask(gateway, { query, variables });
      const [received] = service.received;
      if (received === undefined) return expectRefusal(result);
      sent += 1;
      const [written] = value instanceof Map ? [...value.values()] : [value];
      expect(received.path).toBe(path + encodeURIComponent(String(written)));
    });
    await fc.assert(property, { numRuns: runs });
    expect(sent).toBeGreaterThan(runs / 10);
  });
});

function expectRefusal({ data, errors }: Result): void {
  if (errors === undefined) expect(data.result.__typename).toBe('InvalidInput');
  for (const { message, extensions } of errors ?? []) {
    expect(message).not.toBe('');
    expect(extensions).toMatchObject({
      code: expect.stringMatching(/^(BAD_USER_INPUT|BAD_REQUEST|GRAPHQL_)/),
      sideEffect: 'NONE',
    });
  }
}
