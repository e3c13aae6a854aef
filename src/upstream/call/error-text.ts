import type { Credentials } from '../../caller.ts';

const maxLength = 200;

/** Text that is not passed on, since it may reveal something: markup, a URL, a path, host:port, six digits in a row. */
const revealing = [
  /[<>\p{Cc}\p{Zl}\p{Zp}]/u,
  /\w+:\/\//,
  /(^|[\s"'(=:])[/~]\w/,
  /\w[/\\][\w./\\-]*\.\w/,
  /[A-Za-z]:\\/,
  /[\w.-]+:\d{2,5}\b/,
  /\d{6}/,
];

/**
 * The message with which the service rejected an input, when it is one plain line that is safe to pass on;
 * otherwise undefined. Reads a body of the form `{message}` or `{errors: [{message}]}`, and a body that is a string.
 */
export function publicErrorText(body: unknown, credentials: Credentials): string | undefined {
  const text = messageOf(body)?.trim();
  if (!text || text.length > maxLength) return undefined;
  if (revealing.some((pattern) => pattern.test(text))) return undefined;
  const { apiKey, authorization } = credentials;
  const secrets = [apiKey, authorization, authorization?.split(' ').at(-1)];
  return secrets.some((secret) => secret && text.includes(secret)) ? undefined : text;
}

function messageOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  const { message, errors } = (body ?? {}) as { message?: unknown; errors?: unknown };
  if (typeof message === 'string') return message;
  const first: unknown = Array.isArray(errors) ? errors[0]?.message : undefined;
  return typeof first === 'string' ? first : undefined;
}
