/** What each error code means, and what a front end does about it. */
import type { ErrorCode } from '../src/errors.ts';

/** Advice for front ends about `UNAUTHENTICATED`, which docs/retrying-safely.md repeats. */
export const renewalAdvice =
  'With `sideEffect` `NONE`, renew the token once and send what failed once more, although `retryable` is false. With `APPLIED` the write was done, and only a part of its result is missing: do not send it again. A second `UNAUTHENTICATED` with the new token is final: the caller has no access. Show the error and do not renew again.';

/** docs/reference/errors.md is generated from this. */
export const errorDescriptions = {
  UNAUTHENTICATED: {
    meaning:
      'A credential that the field requires is missing (then without `upstream`: no call was made), or the service rejected a credential as wrong or expired.',
    advice: `${renewalAdvice} Without \`upstream\`, send the header that the message names. A WebSocket keeps the credentials with which it was opened: open a new one.`,
  },
  FORBIDDEN: {
    meaning: 'The service recognized the caller but does not allow this operation.',
    advice: 'Show the error. A retry does not help until somebody grants access.',
  },
  NOT_FOUND: {
    meaning:
      'The service does not know the document, the queue or the group. A Mexican document that was never validated is not an error: `mexicoValidation` is null.',
    advice:
      'Show the error. Directly after an import, wait: a subscription to the status allows the service 15 seconds to know the document.',
  },
  BAD_USER_INPUT: {
    meaning:
      'A variable does not match the schema, or an argument the format of an id or the bound of a list; or the service rejected the input of a read. GraphQL rejects variables before any field is executed: one invalid amount in one of 100 imports fails all of them.',
    advice:
      'Fix the input. In a form this is a bug: what users can correct is returned as `InvalidInput`, and `checkMalaysiaInvoiceDraft` checks what they are still typing.',
  },
  CONFLICT: {
    meaning: 'The input conflicts with the state of the service (HTTP 409).',
    advice: 'Show the error, and read the current state.',
  },
  IDEMPOTENCY_CONFLICT: {
    meaning:
      'The idempotency key was used for another input (`sideEffect` is `NONE`), or for the same input with another token (`POSSIBLE`).',
    advice: 'With `NONE`, use a new key. With `POSSIBLE`, read the state of the service first, then decide.',
  },
  RATE_LIMITED: {
    meaning:
      'The service, or a bound of the gateway, limits the caller: `RATE_LIMIT_PER_MINUTE`, concurrent calls, watches, sockets or idempotency keys.',
    advice: 'If `retryable` is true, send it again after `retryAfterMs`.',
  },
  PAYLOAD_TOO_LARGE: {
    meaning: 'A file or a request is larger than a limit of the gateway or of the service.',
    advice: 'Choose a smaller file. Check the size before an upload.',
  },
  UNSUPPORTED_FILE: {
    meaning: 'The service does not support this type of file. The gateway itself checks no file type.',
    advice: 'Choose a file of another type.',
  },
  UPSTREAM_TIMEOUT: {
    meaning:
      'The service did not respond within the deadline. With `sideEffect` `NONE` a write did not reach it in time: it waited too long for its turn or for a connection, or the service for its request (HTTP 408).',
    advice:
      'A read may be sent again. A write with `sideEffect` `POSSIBLE` may have been done: read the state of the service first.',
  },
  UPSTREAM_UNAVAILABLE: {
    meaning:
      'The service cannot be reached, responded that it failed, or is not called for a while because it failed too often. Of a write with an idempotency key also: the store of keys cannot be reached, or the earlier request with this key, for which it waited, ended without effect, for example an upload that was cancelled.',
    advice:
      'If `retryable` is true, send it again. With `sideEffect` `POSSIBLE`, read the state of the service first.',
  },
  UPSTREAM_BAD_RESPONSE: {
    meaning:
      'The response of the service cannot be read or does not match its interface, for example by its status. With `sideEffect` `APPLIED` the write was done.',
    advice:
      'Report the `requestId`. Unless `sideEffect` is `NONE`, read the state of the service before you send a write again.',
  },
  OUTCOME_UNKNOWN: {
    meaning:
      'A write was sent and its response was lost; or this happened to an earlier write with the same idempotency key.',
    advice:
      'Read the state of the service to find out whether the write was done. It is never sent again with the same key.',
  },
  BAD_REQUEST: {
    meaning:
      'The HTTP or WebSocket message is invalid: method, content type, encoding, JSON, multipart, or the header against cross-site requests; or the request did not arrive in time (408).',
    advice: 'If `retryable` is true, the network was too slow: send it again. Otherwise fix the client.',
  },
  GRAPHQL_PARSE_FAILED: {
    meaning: 'The text of the operation is not valid GraphQL.',
    advice: 'Fix the operation.',
  },
  GRAPHQL_VALIDATION_FAILED: {
    meaning:
      'The operation, with the values in its text, does not match the schema, or `operationName` names no operation of the document.',
    advice: 'Fix the operation. Generated types find this error before the operation is sent.',
  },
  OPERATION_TOO_EXPENSIVE: {
    meaning:
      'The operation could cause more calls than `MAX_OPERATION_COST`, or is too deep, too long or too wide; or its result exceeds the [limits](../limits.md#results), or leaves no room for another write of the same mutation.',
    advice:
      'Request less in one operation. A mutation may have been done before its result exceeded a limit: see `sideEffect`.',
  },
  PERSISTED_QUERY_NOT_FOUND: {
    meaning: 'The manifest has no operation with this hash.',
    advice: 'Deploy the gateway with the manifest of the client first. Do not send the text instead.',
  },
  PERSISTED_QUERY_ONLY: {
    meaning: 'The gateway executes only the operations of its manifest, and the request has a text.',
    advice: 'Send the hash of an operation in the manifest.',
  },
  SHUTTING_DOWN: {
    meaning: 'This gateway is shutting down and starts no new operations.',
    advice: 'Send it again: another gateway responds.',
  },
  INTERNAL_SERVER_ERROR: {
    meaning: 'A bug of the gateway.',
    advice: 'Report it with its `requestId`, by which the log has the details.',
  },
} as const satisfies Record<ErrorCode, { readonly meaning: string; readonly advice: string }>;
