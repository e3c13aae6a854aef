/** `docs/reference/errors.md`: every code that `errors[]` can hold. */
import { type ErrorCode, errorCodes } from '../src/errors.ts';

interface Meaning {
  /** The condition in the world. */
  readonly when: string;
  /** What a front end does about it. */
  readonly what: string;
}

/** What `docs/retrying-safely.md` says too, in these words. */
export const renewalRule =
  'Renew the token once, and repeat once what failed: nothing was done, although `retryable` is false. A second `UNAUTHENTICATED` with the fresh token is final: the caller has no access, so show it, and renew nothing.';

/** The compiler refuses a code without an entry, and an entry without a code. */
const meanings = {
  UNAUTHENTICATED: {
    when: 'A credential that the field needs is missing (the message names it; no call was made), or the service does not accept it: it is wrong, or has expired.',
    what: `${renewalRule} Where the message names a missing header, send that header. A WebSocket keeps the credentials it was opened with: open another one.`,
  },
  FORBIDDEN: {
    when: 'The service knows the caller and refuses this.',
    what: 'Show it. Asking again changes nothing until somebody grants access.',
  },
  NOT_FOUND: {
    when: 'The service does not know the document, the queue or the group. A Mexican document that was never validated is no error: `mexicoValidation` is null.',
    what: 'Show it. After an import wait: a watch itself allows the service 15 seconds to know its document.',
  },
  BAD_USER_INPUT: {
    when: 'A variable or an argument that the schema, the form of an id or the bound of a list refuses; or the service refused what was asked of a read. GraphQL refuses variables before any field runs: a bad amount in one of 100 imports fails all of them.',
    what: 'Fix the input. In a form this is a bug: what users can correct comes as `InvalidInput`, and what they are still typing is checked by `checkMalaysiaInvoiceDraft`.',
  },
  CONFLICT: {
    when: 'The service has something else in that place (409).',
    what: 'Show it, and look at what is there.',
  },
  IDEMPOTENCY_CONFLICT: {
    when: 'The key was used for another input (`NONE`), or the same input went out under it with another token (`POSSIBLE`).',
    what: 'With `NONE`, take a new key. With `POSSIBLE`, look at the service first, then decide.',
  },
  RATE_LIMITED: {
    when: 'The service, or a bound of the gateway, asks for less: `RATE_LIMIT_PER_MINUTE`, places of a caller, watches, sockets, keys.',
    what: 'Send it again after `retryAfterMs`, where `retryable` allows it.',
  },
  PAYLOAD_TOO_LARGE: {
    when: 'A file or a request is larger than its limit, by the gateway’s word or the service’s.',
    what: 'Choose a smaller file. Check the size before an upload.',
  },
  UNSUPPORTED_FILE: {
    when: 'The service does not take this kind of file; the gateway judges none.',
    what: 'Choose a file of another kind.',
  },
  UPSTREAM_TIMEOUT: {
    when: 'The service did not answer within the deadline.',
    what: 'A read may be sent again. A write with `POSSIBLE` may have been done: look first.',
  },
  UPSTREAM_UNAVAILABLE: {
    when: 'The service cannot be reached, answers with a failure of its own, or is left alone for a while; or a write has a key and the store of keys is out of reach.',
    what: 'Send it again where `retryable` allows it. With `POSSIBLE`, look first.',
  },
  UPSTREAM_BAD_RESPONSE: {
    when: 'The service’s answer cannot be read or is not what its interface says. `APPLIED`: the write was done all the same.',
    what: 'Look at the service before a write is sent again, and report the `requestId`.',
  },
  OUTCOME_UNKNOWN: {
    when: 'A write went out and its answer was lost; or it did so before, under the same key.',
    what: 'Look at the service: was it done? It is never sent again under the same key.',
  },
  BAD_REQUEST: {
    when: 'The HTTP or WebSocket message itself is wrong: method, content type, encoding, JSON, multipart, the header against foreign pages.',
    what: 'Fix the client.',
  },
  GRAPHQL_PARSE_FAILED: {
    when: 'The operation is no GraphQL.',
    what: 'Fix the operation.',
  },
  GRAPHQL_VALIDATION_FAILED: {
    when: 'The operation does not fit the schema, or names an operation that the document does not have.',
    what: 'Fix the operation: generated types find this before it is sent.',
  },
  OPERATION_TOO_EXPENSIVE: {
    when: 'The operation could cause more calls than `MAX_OPERATION_COST`, or is too deep, too long or too wide; or its result is larger than the [limits](../limits.md#results) allow.',
    what: 'Ask for less at once. A mutation may have been done before its result grew too large: see `sideEffect`.',
  },
  PERSISTED_QUERY_NOT_FOUND: {
    when: 'The manifest has no operation of that hash.',
    what: 'Deploy the gateway with the client’s manifest first. The text is not to be sent instead.',
  },
  PERSISTED_QUERY_ONLY: {
    when: 'Text was sent to a gateway that answers the operations of its manifest alone.',
    what: 'Send the hash of an operation in the manifest.',
  },
  SHUTTING_DOWN: {
    when: 'This gateway is about to stop and begins nothing new.',
    what: 'Send it again: another one answers.',
  },
  INTERNAL_SERVER_ERROR: {
    when: 'A bug of the gateway.',
    what: 'Report it with its `requestId`: the log has the rest.',
  },
} as const satisfies Record<ErrorCode, Meaning>;

export function errorsPage(): string {
  const sections = errorCodes.map((code) => {
    const { when, what } = meanings[code];
    return `### ${code}\n\n${when}\n\n**What to do:** ${what}\n`;
  });
  return `${introduction}\n${sections.join('\n')}`;
}

const introduction = `# Errors

Generated from the gateway’s closed list: \`npm run generate\`. What a user can correct is no error but data: the \`InvalidInput\` of a mutation, with all problems at once. Everything else is in \`errors[]\`; decide by \`extensions\`, never by \`message\`.

| member | type | meaning |
| --- | --- | --- |
| \`code\` | one of the list below | what happened |
| \`sideEffect\` | \`NONE\`, \`POSSIBLE\` or \`APPLIED\` | nothing was done; the service may have done it; it was done and only its answer was lost |
| \`retryable\` | true or false | whether the same operation may be sent again without harm |
| \`retryAfterMs\` | milliseconds, or absent | not sooner than that |
| \`requestId\` | text | for a report: it stands on every log line, and in the header \`x-request-id\` |
| \`upstream\` | \`{ operation, status, requestId }\`, or absent | the call to the service, where one was made |

How to act on them: [retrying safely](../retrying-safely.md).

## Codes
`;
