/** The sandbox's controls, which the page's server forwards to the embedded sandbox (`docs/sandbox.md`). */
import type { Text } from '../language/text.ts';
import { words } from './words.ts';

export interface ActiveFault {
  /** `*`: all endpoints. */
  readonly endpoint: string;
  readonly fault: string;
  /** The number of calls that it still applies to; null: all calls until it is reset. */
  readonly times: number | null;
}

export interface Control {
  readonly label: Text;
  readonly path: 'faults' | 'clock' | 'course';
  readonly body: Readonly<Record<string, unknown>>;
}

export const controls: readonly Control[] = [
  {
    label: words.slow,
    path: 'faults',
    body: { endpoint: '*', fault: 'slow-3000', times: null },
  },
  {
    label: words.fail,
    path: 'faults',
    body: { endpoint: '*', fault: 'status-503', times: null },
  },
  { label: words.refuse, path: 'faults', body: { endpoint: '*', fault: 'status-401', times: null } },
  {
    label: words.reject,
    path: 'faults',
    body: { endpoint: 'malaysiaImport', fault: 'status-422', times: 1 },
  },
  { label: words.lose, path: 'faults', body: { endpoint: '*', fault: 'reset', times: 1 } },
  {
    label: words.decideSoon,
    path: 'course',
    body: { queuedMs: 2_000, submittedMs: 5_000, spread: 0.4 },
  },
  { label: words.advance, path: 'clock', body: { advanceMs: 10_000 } },
  { label: words.reset, path: 'faults', body: { endpoint: '*', fault: 'none' } },
];

/** The active faults; undefined when the page's server does not forward to a sandbox. */
export async function activeFaults(): Promise<readonly ActiveFault[] | undefined> {
  const response = await fetch('/sandbox/faults', { headers: { accept: 'application/json' } });
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  if (!response.ok || !isJson) return undefined;
  return ((await response.json()) as { readonly faults: readonly ActiveFault[] }).faults;
}

export async function apply({ path, body }: Control): Promise<void> {
  const response = await fetch(`/sandbox/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`The sandbox responded with ${response.status}.`);
}
