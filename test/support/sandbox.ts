/** A sandbox for each test, and one function per endpoint that calls it. */
import { afterEach, beforeEach } from 'vitest';
import { credentialHeaders } from '../../src/sandbox/credentials.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts';

export const alice = { [credentialHeaders.apiKey]: 'alice-key', authorization: 'Bearer alice-token' };
export const bob = { [credentialHeaders.apiKey]: 'bob-key', authorization: 'Bearer bob-token' };
export const startedAt = Date.UTC(2026, 2, 1);

/** The sandbox of the running test. */
export let sandbox: Sandbox;

/** Starts a sandbox before each test of the file and closes it afterwards. */
export function useSandbox(): void {
  beforeEach(async () => {
    sandbox = await startSandbox({ now: () => startedAt });
  });
  afterEach(() => sandbox.close());
}

/** Replaces the sandbox of the running test. */
export async function restartSandbox(options: SandboxOptions): Promise<void> {
  await sandbox.close();
  sandbox = await startSandbox({ now: () => startedAt, ...options });
}

export type Json = Readonly<Record<string, unknown>>;

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
}

export async function call(path: string, init: RequestInit = {}): Promise<ServiceResponse> {
  const response = await fetch(sandbox.url + path, { redirect: 'manual', ...init });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

export const get = (path: string, headers: Record<string, string> = alice) => call(path, { headers });

export const post = (path: string, body: unknown, headers: Record<string, string> = alice) =>
  call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

export function scanForm(
  content: BlobPart = 'card',
  name = 'card.png',
  parts: Record<string, string> = {},
): FormData {
  const form = new FormData();
  form.set('files', new Blob([content]), name);
  for (const [part, value] of Object.entries({ qid: '77', handwritten: '[false]', ...parts })) {
    form.set(part, value);
  }
  return form;
}

export const scan = (form = scanForm(), headers: Record<string, string> = alice) =>
  call('/v1/documents/scan/nric', { method: 'POST', headers, body: form });

export const exported = (docIds?: unknown, headers = alice) =>
  post('/v1/documents/export', docIds === undefined ? {} : { docIds }, headers);

export const mexico = (idOrUuid: string) => get(`/v2/einvoice/mexico/status/${idOrUuid}`);

export const fapiao = (xml: string | Buffer, headers: Record<string, string> = {}) =>
  call('/v2/supernova/models/document/create-fapiao-xml', {
    method: 'POST',
    headers: { ...alice, 'content-type': 'application/xml', ...headers },
    body: xml as BodyInit,
  });

export function anInvoice(members: Json = {}): Json {
  const lines = [{ amountExclTax: 100.5, taxes: [{ type: 'SERVICE_TAX', amount: 8.04 }] }];
  return { docType: 'invoice', docNumber: 'INV-1', supplier: {}, buyer: {}, lines, totals: {}, ...members };
}

export const imported = (members: Json = {}, queueId = '12', headers: Record<string, string> = alice) =>
  post(`/v2/einvoice/malaysia/queue/${queueId}`, anInvoice(members), headers);

export const malaysia = async (docId: number, headers: Record<string, string> = alice) =>
  (await get(`/v2/einvoice/malaysia/status/${docId}`, headers)).body;

export const setFault = (fault: string, endpoint = '*', times?: number | null) =>
  post('/sandbox/faults', { endpoint, fault, times });

export const calls = async (): Promise<readonly Json[]> => (await get('/sandbox/calls')).body.calls;

/** The statuses of calls that are made one after the other. */
export async function statusesOf(...sends: readonly (() => Promise<ServiceResponse>)[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const send of sends) statuses.push((await send()).status);
  return statuses;
}
