import type { ReactNode } from 'react';

export type Tone = 'neutral' | 'active' | 'good' | 'warning' | 'bad';

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}
