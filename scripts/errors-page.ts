/** Generates `docs/reference/errors.md`: every code that `errors[]` can hold. */
import { errorCodes, errorDescriptions } from '../src/errors.ts';

export function errorsPage(): string {
  const sections = errorCodes.map((code) => {
    const { meaning, advice } = errorDescriptions[code];
    return `### ${code}\n\n${meaning}\n\n**What to do:** ${advice}\n`;
  });
  return `${introduction}\n${sections.join('\n')}`;
}

const introduction = `# Errors

Generated from \`src/errors.ts\` by \`npm run generate\`. Input that a user can correct is not an error but data: a mutation returns \`InvalidInput\` with all its problems. Everything else is in \`errors[]\`. Decide by \`extensions\`, never by \`message\`.

| Member | Type | Meaning |
| --- | --- | --- |
| \`code\` | one of the codes below | What happened. |
| \`sideEffect\` | \`NONE\`, \`POSSIBLE\` or \`APPLIED\` | Nothing was done; the service may have done it; it was done, but its response was lost. |
| \`retryable\` | boolean | Whether the same operation may be sent again without harm. |
| \`retryAfterMs\` | milliseconds, or absent | Shortest time to wait before a retry. |
| \`requestId\` | string | Id for a report. Every log line of the request has it, and so does the header \`x-request-id\`. |
| \`upstream\` | \`{ operation, status, requestId }\`, or absent | The call to the service, if one was made. |

How to react to errors: [retrying safely](../retrying-safely.md).

## Codes
`;
