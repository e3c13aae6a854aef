/** What the gateway knows of a caller: credentials, lane, request id, abort signal. */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Span } from './telemetry/tracing.ts';

/** A caller's credentials, forwarded exactly as given: never parsed, stored or logged. */
export interface Credentials {
  readonly apiKey: string | undefined;
  readonly authorization: string | undefined;
}

declare const laneBrand: unique symbol;

/**
 * A caller's lane: whatever requests share is found under one, so that two callers never meet. Only a
 * `LaneMaker` makes lanes; an unkeyed look-up does not compile.
 */
export type Lane = string & { readonly [laneBrand]: never };

export type LaneMaker = (credentials: Credentials) => Lane;

/**
 * Lanes as HMAC-SHA-256 of both credentials, so that no credential is stored and none can be guessed from a
 * lane. `secret`: the key, at least 32 bytes, the same for all gateways that share state. Default: random,
 * so that lanes mean nothing outside this process.
 */
export function createLaneMaker(secret: string | undefined): LaneMaker {
  const key = secret ?? randomBytes(32);
  return ({ apiKey, authorization }) =>
    createHmac('sha256', key)
      // JSON keeps the two apart: no pair of credentials reads as another pair, and absent is not empty.
      .update(JSON.stringify([apiKey ?? null, authorization ?? null]))
      .digest('base64url') as Lane;
}

/** Enough of a lane to tell two callers apart in a log, too little to look anything up. */
export function laneTag(lane: Lane): string {
  return lane.slice(0, 8);
}

/** On whose behalf calls are made. */
export interface Caller {
  readonly credentials: Credentials;
  readonly lane: Lane;
  /** Sent as `x-request-id`. */
  readonly requestId: string;
  /** Aborted when the caller leaves. */
  readonly signal: AbortSignal;
  /** The caller's own `traceparent` header, as it came. */
  readonly traceparent?: string | undefined;
  /** What its calls belong to in a trace. */
  readonly span?: Span;
  /** Told of each call once it ended, for the log. */
  readonly onCall?: (call: CallSummary) => void;
}

export interface CallSummary {
  readonly operation: string;
  readonly kind: 'read' | 'write';
  /** The last answer's status; undefined when there was none. */
  readonly status: number | undefined;
  readonly attempts: number;
  readonly durationMs: number;
}

/** The signal of one caller's request: any number of calls may listen to it. */
export function createCallerController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

const acceptableRequestId = /^[A-Za-z0-9_-]{8,64}$/;

/** The caller's own request id where it is harmless, else a new one. */
export function requestIdFrom(given: string | undefined): string {
  return given !== undefined && acceptableRequestId.test(given) ? given : randomUUID();
}
