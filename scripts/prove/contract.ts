/**
 * What Folio expects of the service, as a contract that the service's team verifies in its own tests: Pact specification,
 * version 4. Written from docs/service.md: only what is stated there. A verifier puts in credentials, and the ids of
 * documents that exist (`providerStates`).
 */
import { credentialHeaders } from '../../src/caller.ts';
import { columns } from '../../src/features/document-export/documented-columns.ts';
import { children } from '../../src/features/fapiao/check-einvoice-xml.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type Matcher = { readonly match: string } & { readonly [detail: string]: Json };
type Rules = Record<string, { readonly combine: 'AND'; readonly matchers: readonly Matcher[] }>;

interface Expected {
  readonly description: string;
  readonly state?: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly contentType: string; readonly content: Json; readonly encoded?: 'base64' };
  readonly status: number | 'clientError';
  /** An example; its types are what is expected. */
  readonly response?: Json;
}

const all = (matcher: Matcher) => ({ combine: 'AND', matchers: [matcher] }) as const;

/** A matcher of its type for each value of an example. The items of a list are like its first one; those of a tuple are not. */
function rulesOf(value: Json, path = '$', rules: Rules = {}): Rules {
  if (Array.isArray(value)) {
    const isTuple = value.every((item) => typeof item !== 'object');
    rules[path] = all({ match: 'type' });
    for (const [index, item] of (isTuple ? value : value.slice(0, 1)).entries())
      rulesOf(item, `${path}[${isTuple ? index : '*'}]`, rules);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) rulesOf(member, `${path}.${name}`, rules);
  } else {
    rules[path] = all({
      match: Number.isInteger(value) ? 'integer' : typeof value === 'number' ? 'number' : 'type',
    });
  }
  return rules;
}

const key = { [credentialHeaders.apiKey]: '<API_KEY>' };
const credentials = { ...key, [credentialHeaders.authorization]: 'Bearer <ACCESS_TOKEN>' };
const json = (content: Json) => ({ contentType: 'application/json', content });

const boundary = 'folio-contract';
const formParts = [
  'Content-Disposition: form-data; name="qid"\r\n\r\n77',
  'Content-Disposition: form-data; name="handwritten"\r\n\r\n[false]',
  'Content-Disposition: form-data; name="files"; filename="card.png"\r\nContent-Type: image/png\r\n\r\ncard',
];
const form = `${formParts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`;

const box: Json = [40, 36, 92.5, 65, 66.25, 50.5, 'SINGAPORE', 'SINGAPORE'];
const field: Json = { UICategory: 'Basic Information', UIName: 'Name', UIType: 'Text', matches: [] };
const fieldNames = ['DOB', 'ExpiryDate', 'Gender', 'IssueDate', 'Name', 'Nationality', 'NricNumber'];

const mexico = (id: string, state: string) => ({
  method: 'GET' as const,
  path: `/v2/einvoice/mexico/status/${id}`,
  state,
});

const interactions: readonly Expected[] = [
  {
    description: 'scan an identity card',
    method: 'POST',
    path: '/v1/documents/scan/nric',
    headers: key,
    body: {
      contentType: `multipart/form-data; boundary=${boundary}`,
      content: btoa(form),
      encoded: 'base64',
    },
    status: 200,
    response: {
      scanDocuments: {
        docId: 5001,
        status: 'COMPLETED',
        data: {
          ...Object.fromEntries(fieldNames.map((name) => [name, field])),
          ...{ DocSize: [[1012, 638]], SmallBoxes: [{ box, page: 0 }], num_pages: 1 },
        },
      },
    },
  },
  {
    description: 'create a group',
    method: 'POST',
    path: '/v1/groups',
    headers: credentials,
    body: json({ name: 'folio contract' }),
    status: 200,
    response: {
      createGroup: {
        id: 301,
        name: 'folio contract',
        createdAt: 1_772_323_200_000,
        uid: 1001,
        queueCount: 0,
        queues: [],
      },
    },
  },
  {
    description: 'export documents',
    state: 'a document in the tab COMPLETED',
    method: 'POST',
    path: '/v1/documents/export',
    headers: credentials,
    body: json({ docIds: [5001] }),
    status: 200,
    response: {
      exportDocumentByDocIds: {
        data: `${columns.map(({ header }) => `"${header}"`).join()}\n`,
        message: 'Downloaded document successfully.',
      },
    },
  },
  {
    description: 'read a stored Mexican validation',
    ...mexico('1001', 'document 1001 has a valid Mexican validation'),
    headers: credentials,
    status: 200,
    response: {
      documentId: '1001',
      uuid: '5F1C0A3E-7B42-4D1A-9C66-0A1B2C3D1001',
      validation_result: 'VALID',
      validatedAt: '2026-02-11T09:30:00.000Z',
      steps: { schema: { result: 'PASS' }, rfc: { result: 'PASS' } },
    },
  },
  {
    description: 'read the validation of a document that was never validated',
    ...mexico('999999999999', 'document 999999999999 was never validated'),
    headers: credentials,
    status: 404,
  },
  {
    description: 'read the validation of an impossible id',
    ...mexico('not-an-id', 'any'),
    headers: credentials,
    status: 400,
  },
  {
    description: 'read a validation without credentials',
    ...mexico('1001', 'document 1001 has a valid Mexican validation'),
    status: 'clientError',
  },
  {
    description: 'request a Fapiao',
    method: 'POST',
    path: '/v2/supernova/models/document/create-fapiao-xml',
    headers: { ...credentials, name: 'folio contract', qid: '77' },
    body: {
      contentType: 'application/xml',
      content: `<EInvoice>${children.map((child) => `<${child}/>`).join('')}</EInvoice>`,
    },
    status: 200,
    response: {
      createXmlDocument: {
        message: 'Document creation request has been accepted.',
        requestId: 'c56a4180-65aa-42ec-a945-5fe21dec0538',
      },
    },
  },
  {
    description: 'import a Malaysian invoice',
    method: 'POST',
    path: '/v2/einvoice/malaysia/queue/77',
    headers: credentials,
    body: json({
      docType: 'invoice',
      docNumber: 'FOLIO-CONTRACT',
      supplier: { address: { city: 'Kuala Lumpur', country: 'MYS' } },
      buyer: { contact: { telephone: '+60300000000' } },
      lines: [{ amountExclTax: 100, taxes: [{ type: 'SALES_TAX', amount: 10 }] }],
      totals: {},
    }),
    status: 200,
    response: {
      requestId: 'c56a4180-65aa-42ec-a945-5fe21dec0538',
      docType: 'invoice',
      docNumber: 'FOLIO-CONTRACT',
      message: 'The document has been queued for submission.',
      trackingUrl: 'http://einvoice.internal.invalid/status/2001',
    },
  },
  {
    description: 'read the status of a Malaysian document',
    state: 'the Malaysian document 2001 was imported',
    method: 'GET',
    path: '/v2/einvoice/malaysia/status/2001',
    headers: credentials,
    status: 200,
  },
];

function interaction({ description, state, method, path, headers = {}, body, status, response }: Expected) {
  const listed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  const sent = body && { ...body, encoded: body.encoded ?? false };
  const isJson = response !== undefined;
  return {
    type: 'Synchronous/HTTP',
    description,
    pending: false,
    ...(state !== undefined && state !== 'any' && { providerStates: [{ name: state }] }),
    request: {
      method,
      path,
      headers: { ...listed, ...(body && { 'Content-Type': [body.contentType] }) },
      ...(sent && { body: sent }),
    },
    response: {
      status: status === 'clientError' ? 401 : status,
      ...(isJson && {
        headers: { 'Content-Type': ['application/json'] },
        body: { content: response, contentType: 'application/json', encoded: false },
      }),
      matchingRules: {
        ...(status === 'clientError' && { status: all({ match: 'statusCode', status: 'clientError' }) }),
        ...(isJson && {
          header: { 'Content-Type': all({ match: 'regex', regex: 'application/json.*' }) },
          body: rulesOf(response),
        }),
      },
    },
  };
}

export const contract = {
  consumer: { name: 'folio' },
  provider: { name: 'document-service' },
  interactions: interactions.map(interaction),
  metadata: { pactSpecification: { version: '4.0' } },
};
