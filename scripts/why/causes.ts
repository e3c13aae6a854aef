/** What decided about a request that no bound refused, and which setting belongs to it. */
import type { ErrorCode } from '../../src/errors.ts';
import type { LogLine } from './log-line.ts';

export interface Cause {
  readonly what: string;
  readonly setting: string;
}

const service = 'none of the gateway: ask the operators of the document service, with the request id';
const address = 'UPSTREAM_URL, and HTTPS_PROXY or HTTP_PROXY if there is a proxy';
const grace = 'SHUTDOWN_GRACE_MS, to longer than the UPSTREAM_…_DEADLINE_MS';
const none = 'none';

/** By the gateway's own words, where a code has several causes. The first that matches counts. */
const byReason: readonly (readonly [RegExp, string, string])[] = [
  [
    /store of idempotency keys is unavailable/,
    'Redis, which keeps the idempotency keys, is unreachable or refuses them. The write was not sent',
    'REDIS_URL, and the Redis server itself: is it down, read-only, or does its ACL forbid a command?',
  ],
  [
    /replicas of the shared store/,
    'fewer replicas of Redis than REDIS_REPLICAS confirmed the idempotency key in 250 ms. The write was not sent',
    'REDIS_REPLICAS, and the replicas of Redis',
  ],
  [
    /failed too often recently/,
    'the circuit breaker of the endpoint is open, because more than half of its calls failed. The call was not made',
    service,
  ],
  [/upload ended before/, "the caller's upload ended before the file was complete", none],
  [
    /cannot be reached/,
    'no connection to the document service could be made',
    `${address}; NODE_EXTRA_CA_CERTS for a certificate. The runbook lists the codes (FolioServiceUnavailable)`,
  ],
  [/unexpected status 407/, 'a proxy refused the call', 'HTTP_PROXY: its user and password'],
  [
    /closed before the response was complete/,
    'the document service closed the connection in the middle of its response',
    service,
  ],
  [
    /did not come from the document service/,
    'an HTML page came instead of a response of the document service',
    address,
  ],
  [
    /first request with this idempotency key ended without effect/,
    'the first request with this key ended without effect',
    none,
  ],
  [/ended at the same time/, 'another request with this key ended at the same time', none],
  [
    /too many uploads are in progress/,
    'the file waited for 30 s, because as many others as allowed were being sent. The call was not made',
    'UPSTREAM_CONNECTIONS (half of them are for files, an eighth for those of one caller)',
  ],
  [/stopped reading the file/, 'the document service stopped reading the file while it was sent', service],
  [/did not receive/, 'the document service did not receive the whole request in time', service],
];

/** By code. */
const byCode: Partial<Record<ErrorCode, (line: LogLine) => Cause>> = {
  UNAUTHENTICATED: ({ calls = [] }) =>
    calls.length > 0
      ? {
          what: "the document service rejected the caller's credentials as wrong or expired (401)",
          setting: none,
        }
      : { what: 'a header with a credential is missing: no call was made', setting: none },
  FORBIDDEN: () => ({
    what: 'the document service does not allow this to the caller (403)',
    setting: 'none of the gateway: access is granted by the document service',
  }),
  NOT_FOUND: () => ({ what: 'the document service does not know what was requested (404)', setting: none }),
  BAD_USER_INPUT: () => ({
    what: 'a variable or an argument is invalid, or the document service rejected the input of a read',
    setting: none,
  }),
  BAD_REQUEST: () => ({ what: 'the HTTP or WebSocket message is invalid', setting: none }),
  GRAPHQL_PARSE_FAILED: () => ({ what: 'the text of the operation is not GraphQL', setting: none }),
  GRAPHQL_VALIDATION_FAILED: () => ({
    what: 'the operation does not match the schema of this gateway',
    setting: 'none: deploy the gateway before clients that need a newer schema',
  }),
  PERSISTED_QUERY_ONLY: () => ({
    what: 'the operation was sent as text, and only those of the manifests are executed',
    setting: 'PERSISTED_OPERATIONS_ONLY (report executes and logs them)',
  }),
  PERSISTED_QUERY_NOT_FOUND: () => ({
    what: 'no manifest has an operation with this hash',
    setting: 'PERSISTED_OPERATIONS: add the manifest of this client',
  }),
  IDEMPOTENCY_CONFLICT: ({ sideEffect }) => ({
    what:
      sideEffect === 'POSSIBLE'
        ? 'the idempotency key was used before with another token'
        : 'the idempotency key was used before with another input',
    setting: none,
  }),
  UPSTREAM_TIMEOUT: causeOfTimeout,
  UPSTREAM_UNAVAILABLE: () => ({ what: 'the document service responded that it failed', setting: service }),
  UPSTREAM_BAD_RESPONSE: () => ({
    what: 'the response of the document service does not match its interface (see the lines "drift")',
    setting: service,
  }),
  OUTCOME_UNKNOWN({ calls = [], reason = '' }) {
    if (calls.length === 0)
      return {
        what: 'an earlier request with this idempotency key ended without a known outcome. This one was not sent',
        setting: none,
      };
    return /gateway stopped before/.test(reason)
      ? { what: 'the gateway stopped before the document service responded', setting: grace }
      : { what: 'the write was sent, and its response was lost', setting: service };
  },
  CONFLICT: () => ({
    what: 'the input conflicts with the state of the document service (409)',
    setting: none,
  }),
  UNSUPPORTED_FILE: () => ({
    what: 'the document service does not support this type of file (415)',
    setting: none,
  }),
  INTERNAL_SERVER_ERROR: () => ({
    what: 'a bug of the gateway: the line "unforeseen error" with this request id has its stack',
    setting: 'none: report the stack',
  }),
};

export function causeOf(line: LogLine, code: ErrorCode): Cause {
  const { reason = '' } = line;
  const status = lastStatus(line);
  // Of a write these words would say too little: it was sent.
  const isSent = code === 'OUTCOME_UNKNOWN' && (line.calls ?? []).length > 0;
  const found = isSent ? undefined : byReason.find(([words]) => words.test(reason));
  if (found) return { what: found[1], setting: found[2] };
  const cause = byCode[code]?.(line) ?? { what: reason || code, setting: none };
  const isOfService = status !== undefined && status >= 500;
  return isOfService ? { ...cause, what: `${cause.what} (status ${status})` } : cause;
}

function lastStatus({ calls = [] }: LogLine): number | undefined {
  return calls.at(-1)?.status;
}

/** Of a call without an attempt the slots decide, otherwise the deadline of a scan, a write or a read. */
function causeOfTimeout({ calls = [], reason = '' }: LogLine): Cause {
  const late = calls.find(({ operation }) => reason.includes(operation)) ?? calls.at(-1);
  if (late?.attempts === 0)
    return {
      what: 'the call waited for a slot until its deadline, and was not made',
      setting: 'UPSTREAM_CONNECTIONS or UPSTREAM_CONCURRENCY_PER_CALLER',
    };
  if (/could not send/.test(reason))
    return {
      what: 'no connection to the document service could be made before the deadline',
      setting: address,
    };
  const deadline = late && /^scan/.test(late.operation) ? 'SCAN' : late?.kind === 'write' ? 'WRITE' : 'READ';
  return {
    what: 'the document service did not respond within the deadline',
    setting: `UPSTREAM_${deadline}_DEADLINE_MS`,
  };
}
