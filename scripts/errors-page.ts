/** Generates `docs/reference/errors.md`: every code that `errors[]` can hold. */
import { codes } from '../packages/client/src/texts/codes.ts';
import { ownBounds, sharedBounds } from '../src/bound-names.ts';
import { errorCodes, errorDescriptions } from '../src/errors.ts';
import { closeCodes } from '../src/http/websocket/close-codes.ts';
import { locales } from '../src/texts/texts.ts';

export function errorsPage(): string {
  const sections = errorCodes.map((code) => {
    const { meaning, advice } = errorDescriptions[code];
    return `### ${code}\n\n${meaning}\n\n**What to do:** ${advice}\n`;
  });
  return `${introduction}\n${sections.join('\n')}\n${statuses}\n\n${bounds}\n${rowsOf(sharedBounds)}\n\n${ownBoundsTitle}\n${rowsOf(ownBounds)}\n\n${closeCodesTitle}\n${closeCodeRows()}\n\n${textsTitle}\n${texts()}\n`;
}

function rowsOf(table: Readonly<Record<string, string>>): string {
  return Object.entries(table)
    .map(([name, what]) => `| \`${name}\` | ${what} |`)
    .join('\n');
}

function closeCodeRows(): string {
  return closeCodes.map(({ code, when, advice }) => `| ${code} | ${when} | ${advice} |`).join('\n');
}

const closeCodesTitle = `## Close codes of WebSockets

Generated from \`src/http/websocket/close-codes.ts\`. A mutation whose result was not received may have been done: [retrying safely](../retrying-safely.md).

The package \`graphql-ws\` does not connect again after 1011 and 4500, whatever its \`shouldRetry\` says, and stops after five attempts in a row unless \`retryAttempts\` is greater: each subscription gets the close event as its error. With the default \`shouldRetry\` it does not connect again either when no socket could be opened, for example while a gateway restarts: the error is then an event without a code. [Subscribe again](../watching.md#when-to-subscribe-again). All clients of \`@folio/client\` connect again by themselves.

| Code | When | What to do |
| --- | --- | --- |`;

function texts(): string {
  return [...errorCodes, 'other' as const]
    .map((code) => `| \`${code}\` | ${locales.map((locale) => codes[locale][`code.${code}`]).join(' | ')} |`)
    .join('\n');
}

const textsTitle = `## Texts for users

What \`messageOf(error, locale)\` of \`@folio/client\` says first; then it says what was done. \`@folio/client/texts.json\` has all of it. No native speaker has checked the translations.

| Code | EN | ES | MS | ZH |
| --- | --- | --- | --- | --- |`;

const statuses = `## HTTP statuses

Errors are in the \`errors[]\` of the body with each of these statuses, so read the body before you look at the status. What the service responded does not change it: \`UNAUTHENTICATED\`, and a 404, 429 or 503 of the service, come with 200.

| Status | When |
| --- | --- |
| 200 | The operation was executed, also when a part of it failed for a reason that is listed below and another part has a result or a side effect. With \`accept: application/json\`, and in an event stream, also when it was refused for any reason that is not listed below. |
| 400 | \`BAD_REQUEST\`. With \`accept: application/graphql-response+json\` any refusal that is not listed below, for example \`GRAPHQL_VALIDATION_FAILED\`. |
| 403 | \`BAD_REQUEST\`: the header against cross-site requests is missing. |
| 405, 406, 408, 415, 431 | \`BAD_REQUEST\`: the method, \`accept\`, the time that the request took, \`content-type\`, the headers (mostly without a body). |
| 413 | \`PAYLOAD_TOO_LARGE\`, by a limit of the gateway. |
| 429 | \`RATE_LIMITED\`, by \`RATE_LIMIT_PER_MINUTE\` or the balancer. |
| 500 | \`INTERNAL_SERVER_ERROR\`, unless it is of a field. |
| 503 | \`SHUTTING_DOWN\`, or \`RATE_LIMITED\` by one of the bounds for which [Limits](../limits.md) states 503. |

With 429 and 503 the header \`retry-after\` is \`retryAfterMs\` in seconds, rounded up. A 404 is not from GraphQL: the path of the address is wrong.`;

const bounds = `## Bounds

\`RATE_LIMITED\`, \`PAYLOAD_TOO_LARGE\`, \`OPERATION_TOO_EXPENSIVE\` and \`SHUTTING_DOWN\` name in \`bound\` what refused the operation. The log line and the metric \`folio_refusals_total\` have the same word. [Limits](../limits.md) has the numbers.

Callers share these. The name alone means the bound of all callers together; with \`-newcomers\`, that of all callers that the service has not accepted yet; with \`-owner\`, that of one caller.

| Bound | Of what |
| --- | --- |`;

const ownBoundsTitle = `These concern one operation, one request or one socket, or are not the gateway's own.

| Bound | Of what |
| --- | --- |`;

const introduction = `# Errors

Generated from \`src/errors.ts\` by \`npm run generate\`. Input that a user can correct is not an error but data: a mutation returns \`InvalidInput\` with the problems. Everything else is in \`errors[]\`. Decide by \`extensions\`, never by \`message\`.

| Member | Type | Meaning |
| --- | --- | --- |
| \`code\` | one of the codes below | What happened. |
| \`sideEffect\` | \`NONE\`, \`POSSIBLE\` or \`APPLIED\` | Nothing was done; the service may have done it; it was done, but its response was lost. |
| \`retryable\` | boolean | Whether what failed may be sent again without harm: the field at the error's \`path\`, or the operation if the error has no \`path\`. Of a mutation with several writes [repeat only those that failed](../retrying-safely.md#when-a-part-of-it-failed). |
| \`retryAfterMs\` | milliseconds, or absent | Shortest time to wait before a retry. Absent: wait for a growing, random time, and stop after a few attempts. |
| \`bound\` | one of the [bounds](#bounds), or absent | What refused the operation: present with the four codes of a bound. |
| \`requestId\` | string | Id for a report. Every log line of the request has it, and so does the header \`x-request-id\` of the response. It is the request's own \`x-request-id\` if that has 8 to 64 letters, digits, \`_\` or \`-\`. |
| \`upstream\` | \`{ operation, status, requestId, messages }\`, or absent | The call to the service that failed, also one that was not sent in time. Absent where a bound refused the operation before. \`status\`: of the response, absent without one. \`messages\`: what the service wrote about it, where it did (403, 404, 408, 409, 413, 415, 429, the rejected input of a read, and a response that cannot be used): at most 20 texts, to be shown to the user. |

How to react to errors: [retrying safely](../retrying-safely.md).

## Codes
`;
