import type { IncomingMessage } from 'node:http';
import type { Clock } from './clock.ts';
import type { Course } from './course.ts';
import type { Credential, Tenant } from './credentials.ts';
import type { Documents } from './documents.ts';
import { type JsonObject, parseJsonObject, type Reply, readBody, requireMediaType } from './http.ts';

/** What the endpoints share. */
export interface SandboxParts {
  readonly documents: Documents;
  readonly clock: Clock;
  readonly course: Course;
  /** Factor by which imported e-invoices are processed faster. */
  readonly speed: number;
}

/** One endpoint of the service: a section of docs/service.md. */
export interface Endpoint {
  readonly method: 'GET' | 'POST';
  /** Matches the whole path. The capture group, if there is one, is the path parameter. */
  readonly path: RegExp;
  /** Credentials that a call must send (docs/service.md, "Headers"). */
  readonly requiredCredentials: readonly Credential[];
  /** The effect of each value of an input that has one of its own, in Markdown: rows of docs/sandbox.md. */
  readonly inputs?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  handle(call: Call): Promise<Reply> | Reply;
}

export interface Call {
  readonly request: IncomingMessage;
  readonly tenant: Tenant;
  /** The decoded path parameter; empty if the path has none. */
  readonly parameter: string;
  /** Adds members to the call's entry in `GET /sandbox/calls`. */
  note(details: JsonObject): void;
}

/** Longest body that is kept as text in the call's entry (bytes). */
const maxNotedBytes = 4096;

export async function readNotedBody({ request, note }: Call): Promise<Buffer> {
  const { bytes, sha256, content } = await readBody(request);
  note({ bytes, sha256, ...(bytes <= maxNotedBytes ? { body: content.toString() } : {}) });
  return content;
}

export async function readNotedJson(call: Call): Promise<JsonObject> {
  requireMediaType(call.request, 'application/json');
  return parseJsonObject(await readNotedBody(call));
}
