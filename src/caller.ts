/** What the gateway knows about a caller: credentials, lane, request id, abort signal. */
import { createHmac, createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import type { Span, TraceParent } from './telemetry/tracing.ts';
import type { CancelSignal } from './tools/cancellation.ts';
import { detached } from './tools/shortened.ts';

/** A caller's credentials, forwarded exactly as received: never parsed, stored or logged. */
export interface Credentials {
  readonly apiKey: string | undefined;
  readonly authorization: string | undefined;
}

/** The header of each credential, as the caller sends it and the service receives it. */
export const credentialHeaders = {
  apiKey: 'x-api-key',
  authorization: 'Authorization',
} as const satisfies Readonly<Record<keyof Credentials, string>>;

declare const laneBrand: unique symbol;

/**
 * A caller's lane: the key of everything that requests share, so that two callers never share anything. Only a
 * `LaneMaker` creates lanes, so that a lookup without one does not compile.
 */
export type Lane = string & { readonly [laneBrand]: never };

declare const ownerBrand: unique symbol;

/** The key of a caller's limits and idempotency keys: the lane of the API key alone, or without one of the bearer. */
export type Owner = string & { readonly [ownerBrand]: never };

export type LaneMaker = (credentials: Credentials) => Lane;

/**
 * Creates a maker of lanes. A lane is the HMAC-SHA-256 of both credentials, so that no credential is stored and none
 * can be guessed from a lane. `secret`: the key, at least 32 bytes, the same for all gateways that share state.
 * Default: a random key, whose lanes are valid in this process only.
 */
export function createLaneMaker(secret: string | undefined): LaneMaker {
  const key = createSecretKey(secret === undefined ? randomBytes(32) : Buffer.from(secret));
  return ({ apiKey, authorization }) =>
    createHmac('sha256', key)
      // JSON is unambiguous: two different pairs have different texts, and absent differs from empty.
      .update(JSON.stringify([apiKey ?? null, authorization ?? null]))
      .digest('base64url') as Lane;
}

/** What of a caller is the same for all requests with the same credentials. */
export type CallerIdentity = Pick<Caller, 'credentials' | 'lane' | 'owner'>;

/** The caller for whom something is held. Limits go by owner, and whether a caller is a newcomer by lane. */
export type Holder = Pick<Caller, 'owner' | 'lane'>;

/** Callers whose credentials are malformed or not known yet count as one newcomer. */
export const nobody = { lane: '', owner: '' } as Holder;

/** The credentials with their lane and owner. Many tokens under one API key are one owner, and so have one caller's limits. */
export function identify(credentials: Credentials, laneOf: LaneMaker): CallerIdentity {
  const { apiKey, authorization } = credentials;
  const lane = laneOf(credentials);
  const hasBoth = apiKey !== undefined && authorization !== undefined;
  const ownLane = hasBoth ? laneOf({ apiKey, authorization: undefined }) : lane;
  return { credentials, lane, owner: ownLane as string as Owner };
}

/** The first 8 characters of a lane: enough to distinguish callers in a log, too few to look anything up. */
export function laneTag(lane: Lane): string {
  return lane.slice(0, 8);
}

/** The application that a caller says it is. Anybody can send any name, so nothing is decided by it. */
export interface Application {
  readonly name: string;
  readonly version: string | undefined;
}

const maxApplicationName = 64;
const maxApplicationVersion = 32;

/** The application of a name and a version as they were received; undefined without a name. */
export function applicationOf(name: unknown, version: unknown): Application | undefined {
  const known = printable(name, maxApplicationName);
  return known ? { name: known, version: printable(version, maxApplicationVersion) || undefined } : undefined;
}

/** The first characters of the text, with `_` for those that a log, a label or a terminal could misread. */
function printable(text: unknown, maxLength: number): string {
  if (typeof text !== 'string') return '';
  const kept = text.trim().slice(0, maxLength);
  return detached(kept.replaceAll(/[^\w .:/+@()-]/g, '_'));
}

/** The name of an application with its version, as manifests are named: `folio-ios@2.3.1`. */
export function applicationLabel({ name, version }: Application): string {
  return version === undefined ? name : `${name}@${version}`;
}

export interface Caller {
  readonly credentials: Credentials;
  readonly lane: Lane;
  readonly owner: Owner;
  /** Sent as `x-request-id`. */
  readonly requestId: string;
  readonly application?: Application | undefined;
  /** Aborted when the caller disconnects. */
  readonly signal: CancelSignal;
  /**
   * Time from the arrival of the operation to its execution (ms), which counts in the deadline of each call. Default 0.
   */
  readonly waitedMs?: number;
  /** The trace that the caller's request continues. */
  readonly trace?: TraceParent | undefined;
  /** Calls the function when the HTTP response has been sent, with its status. Undefined over WebSocket. */
  readonly onResponse?: ((sent: (status: number) => void) => void) | undefined;
  /** Parent of the spans of its calls. */
  readonly span?: Span;
  readonly observer?: CallObserver;
}

/** What records the calls of an operation. */
export interface CallObserver {
  readonly onCall: OnCall;
  /** Called after each call of another field or caller whose response the caller shares. */
  readonly onJoinedCall?: OnCall | undefined;
  /** Called when the caller repeats an idempotency key, with the id of the request that was sent. */
  onRepetition?(requestId: string): void;
}

/** `path`: the path of the call, with its ids. `isShared`: whether another field or caller shares its response. */
export type OnCall = (call: CallSummary, path: string, isShared: boolean) => void;

/** One call to the service, as it is logged: no credentials, ids or paths. */
export interface CallSummary {
  /** Name of the endpoint. */
  readonly operation: string;
  readonly kind: 'read' | 'write';
  /** Status of the last response; undefined when there was none. */
  readonly status: number | undefined;
  readonly attempts: number;
  /** Code of the last connection error when the last attempt got no response, e.g. ENOTFOUND or CERT_HAS_EXPIRED. */
  readonly cause?: string | undefined;
  readonly durationMs: number;
}

const acceptableRequestId = /^[A-Za-z0-9_-]{8,64}$/;

/** Returns the caller's own request id if it is 8 to 64 letters, digits, `_` or `-`, otherwise a new one. */
export function requestIdFrom(given: string | undefined): string {
  if (given !== undefined && acceptableRequestId.test(given)) return given;
  const id = randomUUID();
  // A subscription keeps its id for hours. randomUUID returns a rope of 14 pieces (450 bytes); matching it once flattens it.
  acceptableRequestId.test(id);
  return id;
}
