import type { Failure } from '../gateway/failure.ts';
import { t } from '../language/language.ts';
import { Button } from './Button.tsx';
import { adviceFor, titleOf } from './failure-words.ts';
import { useCountdown } from './use-countdown.ts';
import { words } from './words.ts';

interface FailureNoticeProps {
  readonly failure: Failure;
  /** Whether the write was sent with an idempotency key that a retry repeats. */
  readonly isKeyed?: boolean;
  onRetry?(): void;
}

/** A failure by its `extensions`: the cause, the side effect, and whether and when a retry is safe. */
export function FailureNotice({ failure, isKeyed = false, onRetry }: FailureNoticeProps) {
  const secondsLeft = useCountdown(failure);
  const { text, mayRetry } = adviceFor(failure, isKeyed);
  return (
    <div className="notice notice-bad" role="alert">
      <p className="notice-title">{titleOf(failure)}</p>
      <p className="notice-advice">{text}</p>
      {/* An alert is read again as a whole when a part of it changes, and the countdown changes each second. */}
      <div className="notice-foot" aria-live="off">
        {onRetry && mayRetry && (
          <Button onClick={() => onRetry()} disabled={secondsLeft > 0}>
            {secondsLeft > 0 ? t(words.tryAgainIn, { seconds: secondsLeft }) : t(words.tryAgain)}
          </Button>
        )}
        <small className="notice-trace">
          {failure.code}
          {failure.sideEffect && t(words.sideEffect, { effect: failure.sideEffect })}
          {failure.requestId && t(words.request, { id: failure.requestId })}
          <span lang="en"> · {failure.message}</span>
        </small>
      </div>
    </div>
  );
}
