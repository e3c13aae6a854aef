import { useEffect, useState } from 'react';
import { t } from '../language/language.ts';
import { localDuration } from '../shared/dates.ts';
import { waitOf } from './expected.ts';
import type { LiveStatus } from './use-live-statuses.ts';
import { words } from './words.ts';

interface WaitBarProps {
  readonly name: string;
  readonly status: NonNullable<LiveStatus['status']>;
}

/** Shows how long the document usually waits for its next state, and when it takes longer. It is never full. */
export function WaitBar({ name, status }: WaitBarProps) {
  const wait = waitOf(status, useAge(status, status.expected !== null));
  if (!wait) return null;
  const { percent, isLate } = wait;
  const text = t(wait.text, { time: localDuration(wait.time) });
  return (
    <div className="wait">
      <progress max={100} value={percent} aria-label={t(words.waitOf, { name })} aria-valuetext={text} />
      <p className={isLate ? 'live-message' : 'hint'}>{text}</p>
    </div>
  );
}

/** Time since the value was first passed (ms), which is counted each second. */
function useAge(value: object, isCounted: boolean): number {
  const [first, setFirst] = useState({ value, at: performance.now() });
  const [now, setNow] = useState(first.at);
  if (first.value !== value) {
    const at = performance.now();
    setFirst({ value, at });
    setNow(at);
  }
  useEffect(() => {
    if (!isCounted) return;
    const timer = setInterval(() => setNow(performance.now()), 1_000);
    return () => clearInterval(timer);
  }, [isCounted]);
  return Math.max(0, now - first.at);
}
