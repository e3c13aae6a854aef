/** What an error says to a user of the page. */
import { type Locale, separators } from './locale.ts';
import { isLostRead } from './lost-read.ts';
import { codes } from './texts/codes.ts';

interface Failure {
  readonly message?: unknown;
  /** With `retryable`: the `problem` of a watched document, which has no `extensions`. */
  readonly code?: unknown;
  readonly retryable?: unknown;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Sentences for a user: what happened, what was done, and whether and when to try again. `error`: what a client of this package
 * throws or returns, an error of `errors[]`, or a list of them. The first error counts. Of the `problem` of a watched document
 * it is only what happened.
 */
export function messageOf(error: unknown, locale: Locale = 'EN'): string {
  const failure = firstOf(error);
  const { code, sideEffect, retryable, retryAfterMs } = failure?.extensions ?? {};
  // In `errors.map(messageOf)` the second argument is an index.
  const texts = codes[locale] ?? codes.EN;
  if (typeof failure?.code === 'string' && typeof failure.retryable === 'boolean')
    return causeText(texts, failure.code);
  const isRead = sideEffect === 'NONE' || isLostRead(failure);
  if (typeof code !== 'string') return texts[isRead ? 'effect.lostRead' : 'effect.lost'];
  const sentences = [causeText(texts, code)];
  if (sideEffect === 'NONE')
    sentences.push(texts['effect.NONE'], ...(retryable === true ? [retryText(texts, retryAfterMs)] : []));
  // A write of which a router in front of the gateway says only that it failed has no side effect here.
  else sentences.push(texts[sideEffect === 'APPLIED' ? 'effect.APPLIED' : 'effect.POSSIBLE']);
  return sentences.join(separators[locale] ?? ' ');
}

function causeText(texts: (typeof codes)[Locale], code: string): string {
  const causes: Readonly<Record<string, string>> = texts;
  return (Object.hasOwn(texts, `code.${code}`) && causes[`code.${code}`]) || texts['code.other'];
}

function retryText(texts: (typeof codes)[Locale], retryAfterMs: unknown): string {
  if (typeof retryAfterMs !== 'number') return texts['effect.retry'];
  return texts['effect.retryAfter'].replace('{seconds}', String(Math.ceil(retryAfterMs / 1000)));
}

/** The first error of the gateway in what Apollo Client, urql, Relay and the functions of this package throw. */
function firstOf(error: unknown): Failure | undefined {
  if (Array.isArray(error)) return error[0] as Failure | undefined;
  if (typeof error !== 'object' || error === null) return undefined;
  const { errors, graphQLErrors, networkError } = error as {
    readonly errors?: Failure[];
    readonly graphQLErrors?: Failure[];
    readonly networkError?: Failure;
  };
  return errors?.[0] ?? graphQLErrors?.[0] ?? networkError ?? (error as Failure);
}
