import type { IncomingMessage } from 'node:http';
import type { CredentialHeader, Tenant } from './credentials.ts';
import { demandMediaType, type JsonObject, parseJsonObject, type Reply, readBody } from './http.ts';

export const endpointNames = [
  'scan',
  'createGroup',
  'export',
  'mexicoStatus',
  'fapiao',
  'malaysiaImport',
  'malaysiaStatus',
] as const;

export type EndpointName = (typeof endpointNames)[number];

/** One call of the service: a section of docs/service.md. */
export interface Endpoint {
  readonly name: EndpointName;
  readonly method: 'GET' | 'POST';
  /** Matches the whole path; its one group, where it has one, is the path parameter. */
  readonly path: RegExp;
  /** Credentials without which no call is let in (docs/service.md, "Headers"). */
  readonly demands: readonly CredentialHeader[];
  answer(call: Call): Promise<Reply> | Reply;
}

export interface Call {
  readonly request: IncomingMessage;
  readonly tenant: Tenant;
  /** The path parameter, decoded; empty where the path has none. */
  readonly parameter: string;
  /** Adds details to the call's entry in `GET /sandbox/calls`. */
  note(details: JsonObject): void;
}

/** Longest body that a call's entry repeats as text (bytes). */
const maxNotedBytes = 4096;

export async function readNotedBody({ request, note }: Call): Promise<Buffer> {
  const { bytes, sha256, content } = await readBody(request);
  note({ bytes, sha256, ...(bytes <= maxNotedBytes ? { body: content.toString() } : {}) });
  return content;
}

export async function readNotedJson(call: Call): Promise<JsonObject> {
  demandMediaType(call.request, 'application/json');
  return parseJsonObject(await readNotedBody(call));
}
