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
 * throws or returns, an error of `errors[]`, or a list of them. The first error says what happened, all of them what was done:
 * nothing is said of that where a part was done and another part was not, which only the whole result of `request` shows. Of
 * the `problem` of a watched document it is only what happened.
 */
export function messageOf(error: unknown, locale: Locale = 'EN'): string {
  const { failures, isPart } = failuresOf(error);
  const [failure] = failures;
  const { code, sideEffect, retryable, retryAfterMs } = failure?.extensions ?? {};
  // In `errors.map(messageOf)` the second argument is an index.
  const texts = codes[locale] ?? codes.EN;
  if (typeof failure?.code === 'string' && typeof failure.retryable === 'boolean')
    return causeText(texts, failure.code);
  const isRead = sideEffect === 'NONE' || isLostRead(failure);
  if (typeof code !== 'string') return texts[isRead ? 'effect.lostRead' : 'effect.lost'];
  const sentences = [causeText(texts, code)];
  const effect = effectOf(failures);
  if (effect === 'NONE' && !isPart)
    sentences.push(texts['effect.NONE'], ...(retryable === true ? [retryText(texts, retryAfterMs)] : []));
  else if (effect !== undefined && effect !== 'NONE') sentences.push(texts[`effect.${effect}`]);
  return sentences.join(separators[locale] ?? ' ');
}

/** What was done, where one word is true of all; POSSIBLE, where it may be true of one. */
function effectOf(failures: readonly (Failure | undefined)[]): 'NONE' | 'APPLIED' | 'POSSIBLE' | undefined {
  const effects = new Set(
    failures.map((failure) => {
      const effect = failure?.extensions?.['sideEffect'];
      // A write of which a router in front of the gateway says only that it failed has no side effect here.
      return effect === 'NONE' || effect === 'APPLIED' ? effect : 'POSSIBLE';
    }),
  );
  if (effects.has('POSSIBLE')) return 'POSSIBLE';
  const [effect] = effects;
  return effects.size === 1 ? effect : undefined;
}

function causeText(texts: (typeof codes)[Locale], code: string): string {
  const causes: Readonly<Record<string, string>> = texts;
  return (Object.hasOwn(texts, `code.${code}`) && causes[`code.${code}`]) || texts['code.other'];
}

function retryText(texts: (typeof codes)[Locale], retryAfterMs: unknown): string {
  if (typeof retryAfterMs !== 'number') return texts['effect.retry'];
  return texts['effect.retryAfter'].replace('{seconds}', String(Math.ceil(retryAfterMs / 1000)));
}

/**
 * The errors of the gateway in what Apollo Client, urql, Relay and the functions of this package throw. `isPart`: another part
 * of the operation has a result, or a list has members that did not fail.
 */
function failuresOf(error: unknown): {
  readonly failures: readonly (Failure | undefined)[];
  readonly isPart: boolean;
} {
  if (Array.isArray(error)) return { failures: error, isPart: false };
  if (typeof error !== 'object' || error === null) return { failures: [], isPart: false };
  const { errors, graphQLErrors, networkError, data } = error as {
    readonly errors?: unknown;
    readonly graphQLErrors?: unknown;
    readonly networkError?: Failure;
    readonly data?: unknown;
  };
  if (Array.isArray(errors) && errors[0]) return { failures: errors, isPart: hasResult(data) };
  if (Array.isArray(graphQLErrors) && graphQLErrors[0])
    return { failures: graphQLErrors, isPart: graphQLErrors[0].path?.length > 1 };
  return { failures: [networkError ?? (error as Failure)], isPart: false };
}

const hasResult = (data: unknown) =>
  Object.entries(data ?? {}).some(([name, field]) => {
    const results: unknown[] = Array.isArray(field) ? field : [field];
    return name !== '__typename' && results.some((result) => result !== null);
  });
