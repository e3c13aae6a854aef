import { useEffect, useState } from 'react';
import type { Failure } from '../gateway/failure.ts';

/** Seconds until a retry is allowed, counted from the time when the failure was first shown. */
export function useCountdown(failure: Failure): number {
  const [shown, setShown] = useState({ failure, at: Date.now() });
  const [now, setNow] = useState(shown.at);
  if (shown.failure !== failure) {
    const at = Date.now();
    setShown({ failure, at });
    setNow(at);
  }
  const leftMs = Math.max(0, shown.at + (failure.retryAfterMs ?? 0) - now);
  const isWaiting = leftMs > 0;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [isWaiting]);
  return Math.ceil(leftMs / 1000);
}
