/** When a document is expected to change to its next state, by how long others stayed in its state. */
import type { MalaysiaStatus } from './malaysia.api.ts';

export interface ExpectedChange {
  readonly likelyBy: Date;
  readonly atLatestBy: Date;
  readonly basis: number;
}

export function expectedChange({ seen }: MalaysiaStatus): ExpectedChange | null {
  if (!seen?.usual) return null;
  const { likelyMs, atLatestMs, basis } = seen.usual;
  const after = (ms: number) => new Date(seen.since.getTime() + ms);
  return { likelyBy: after(likelyMs), atLatestBy: after(atLatestMs), basis };
}
