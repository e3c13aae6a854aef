import { type Failure, noAnswer } from '../gateway/failure.ts';
import { codeText, t } from '../language/language.ts';
import type { Text } from '../language/text.ts';
import { words } from './words.ts';

export function titleOf({ code }: Failure): string {
  return code === noAnswer ? t(words.noAnswer) : codeText(code);
}

interface Advice {
  readonly text: string;
  /** Whether the notice has a retry button. */
  readonly mayRetry: boolean;
}

const fixes: Readonly<Record<string, Text>> = {
  UNAUTHENTICATED: words.fixCredentials,
  FORBIDDEN: words.fixAccess,
  PAYLOAD_TOO_LARGE: words.fixSize,
  UNSUPPORTED_FILE: words.fixType,
  INTERNAL_SERVER_ERROR: words.fixBug,
};

/** The side effect in words, and whether a retry is safe. */
export function adviceFor({ code, sideEffect, retryable }: Failure, isKeyed: boolean): Advice {
  switch (sideEffect) {
    case 'NONE':
      return retryable
        ? { text: t(words.safe), mayRetry: true }
        : { text: t(words.nothingDone, { fix: t(fixes[code] ?? words.fixCause) }), mayRetry: false };
    case 'POSSIBLE':
      return { text: t(isKeyed ? words.checkThenKey : words.checkFirst), mayRetry: false };
    case 'APPLIED':
      return { text: t(words.applied), mayRetry: false };
    default:
      return { text: t(isKeyed ? words.maybeUnderKey : words.whenItResponds), mayRetry: true };
  }
}
