/**
 * The closed list of codes, and the two ways in which something fails: as a `GatewayError`, which becomes
 * an entry of `errors[]`, and as `InvalidInputError`, which becomes data (the `InvalidInput` type).
 */

export const errorCodes = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'BAD_USER_INPUT',
  'CONFLICT',
  'IDEMPOTENCY_CONFLICT',
  'RATE_LIMITED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_FILE',
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_BAD_RESPONSE',
  'OUTCOME_UNKNOWN',
  'BAD_REQUEST',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_TOO_EXPENSIVE',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_ONLY',
  'SHUTTING_DOWN',
  'INTERNAL_SERVER_ERROR',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/**
 * What may have happened at the service.
 * `NONE`: nothing was done. `POSSIBLE`: it may have been done. `APPLIED`: it was done, the answer was lost.
 */
export type SideEffect = 'NONE' | 'POSSIBLE' | 'APPLIED';

/** The call to the service that failed: never a URL, header, body or stack. */
export interface UpstreamFailure {
  readonly operation: string;
  readonly status?: number;
  /** The request id that went with the call. */
  readonly requestId?: string;
}

export interface GatewayErrorOptions {
  readonly code: ErrorCode;
  /** Shown to the caller: no credential, no personal data, no text of the service. */
  readonly message: string;
  /** Whether the same call may succeed later without harm. Default false. */
  readonly retryable?: boolean;
  readonly retryAfterMs?: number | undefined;
  /** Default NONE. */
  readonly sideEffect?: SideEffect;
  readonly upstream?: UpstreamFailure | undefined;
  /** The status of the HTTP answer, where the error concerns the HTTP message itself. */
  readonly httpStatus?: number;
  /** For the log alone. */
  readonly cause?: unknown;
}

export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly sideEffect: SideEffect;
  readonly upstream: UpstreamFailure | undefined;
  readonly httpStatus: number | undefined;

  constructor(options: GatewayErrorOptions) {
    super(options.message, { cause: options.cause });
    this.code = options.code;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
    this.sideEffect = options.sideEffect ?? 'NONE';
    this.upstream = options.upstream;
    this.httpStatus = options.httpStatus;
  }
}

/** An argument or variable that an id pattern, a format or a list's bound refuses; no call was made. */
export function badUserInput(message: string): GatewayError {
  return new GatewayError({ code: 'BAD_USER_INPUT', message });
}

/** The HTTP or WebSocket message itself is wrong. `httpStatus` default 400. */
export function badRequest(message: string, httpStatus = 400): GatewayError {
  return new GatewayError({ code: 'BAD_REQUEST', message, httpStatus });
}

/** Most problems that are listed for one input. */
export const maxProblems = 200;

export interface InputProblem {
  /** Stable, kebab-case, e.g. `credit-note-negative`. */
  readonly rule: string;
  readonly severity: 'ERROR' | 'WARNING';
  /** Into the field's arguments, e.g. `['invoice', 'lines', '2', 'amountExclTax']`. */
  readonly path: readonly string[];
  readonly message: string;
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
}

/** One row of the rule catalogue: what the problems of a rule have in common. */
export interface ValidationRule {
  readonly severity: InputProblem['severity'];
  /** Which inputs it looks at, in the words of the schema. */
  readonly appliesTo: string;
  /** What it says, in one sentence. */
  readonly summary: string;
}

/** Rules by their stable ids. */
export type RuleTable = Readonly<Record<string, ValidationRule>>;

/** What the caller can correct. Nothing was done: nothing was sent, or the service refused the content. */
export class InvalidInputError extends Error {
  override readonly name = 'InvalidInputError';
  readonly problems: readonly InputProblem[];

  constructor(message: string, problems: readonly InputProblem[]) {
    super(message);
    this.problems = problems;
  }
}
