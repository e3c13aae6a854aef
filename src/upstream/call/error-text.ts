import type { Credentials } from '../../caller.ts';

const maxLength = 200;

/** Markup, a URL, a path, host:port, a run of six digits: what may give something away is not passed on. */
const telltales = [
  /[<>\p{Cc}\p{Zl}\p{Zp}]/u,
  /\w+:\/\//,
  /(^|[\s"'(=:])[/~]\w/,
  /\w[/\\][\w./\\-]*\.\w/,
  /[A-Za-z]:\\/,
  /[\w.-]+:\d{2,5}\b/,
  /\d{6}/,
];

/**
 * The service's own words on why it refused an input, where they are one plain line; else undefined.
 * Reads the shapes `{message}`, `{errors: [{message}]}` and a JSON text.
 */
export function publicErrorText(body: unknown, credentials: Credentials): string | undefined {
  const text = messageOf(body)?.trim();
  if (!text || text.length > maxLength) return undefined;
  if (telltales.some((telltale) => telltale.test(text))) return undefined;
  return secretsOf(credentials).some((secret) => text.includes(secret)) ? undefined : text;
}

function messageOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  const { message, errors } = (body ?? {}) as { message?: unknown; errors?: unknown };
  if (typeof message === 'string') return message;
  const first: unknown = Array.isArray(errors) ? errors[0]?.message : undefined;
  return typeof first === 'string' ? first : undefined;
}

function secretsOf({ apiKey, authorization }: Credentials): string[] {
  const token = authorization?.split(' ').at(-1);
  return [apiKey, authorization, token].filter((secret) => secret !== undefined && secret !== '') as string[];
}
