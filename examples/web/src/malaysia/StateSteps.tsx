import type { MalaysiaState } from './use-live-statuses.ts';

/** For each state: the number of completed steps out of three, and the look of the last one. */
const progress: Readonly<Record<MalaysiaState, readonly [number, string]>> = {
  UNKNOWN: [0, 'active'],
  QUEUED: [1, 'active'],
  SUBMITTED: [2, 'active'],
  VALIDATED: [3, 'good'],
  REJECTED: [3, 'bad'],
  FAILED: [3, 'bad'],
  CANCELLED: [3, 'bad'],
};

/** Shows the state of the badge as a bar of three steps. */
export function StateSteps({ state }: { readonly state: MalaysiaState | null }) {
  const [reached, tone] = (state && progress[state]) ?? progress.UNKNOWN;
  return (
    <div className={`steps steps-${tone}`} aria-hidden="true">
      {[1, 2, 3].map((part) => (
        <span key={part} className={part <= reached ? 'step step-reached' : 'step'} />
      ))}
    </div>
  );
}
