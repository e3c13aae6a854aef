/** Proves each assumption by calls to a service. */
import { type Assumption, assumptions } from './assumptions.ts';
import { documentDecisions } from './documents.ts';
import { importDecisions, statusDecisions } from './malaysia.ts';
import { readDecisions } from './reads.ts';
import { type Decision, type ProveOptions, ServiceCalls, undecided } from './service-calls.ts';

export interface ProvedAssumption extends Assumption, Decision {}

const { 'result-statuses': ofAllResponses, ...reads } = { ...readDecisions, ...statusDecisions };
const writes = { ...documentDecisions, ...importDecisions };

/** The names of the assumptions that a call can decide, and whether the call writes. */
export const decidable: ReadonlyMap<string, 'read' | 'write'> = new Map([
  ...Object.keys({ ...readDecisions, ...statusDecisions }).map((id) => [id, 'read'] as const),
  ...Object.keys(writes).map((id) => [id, 'write'] as const),
]);

export async function prove(options: ProveOptions): Promise<ProvedAssumption[]> {
  const service = new ServiceCalls(options);
  const isWriting = options.queue !== undefined;
  const decisions = new Map<string, Decision>();
  // The one about all responses comes last.
  const all = { ...reads, ...(isWriting && writes), 'result-statuses': ofAllResponses };
  for (const [id, decide] of Object.entries(all)) if (decide) decisions.set(id, await decide(service));
  const without = (id: string) => (decidable.has(id) ? 'needs --queue and --write' : 'no call can decide it');
  return assumptions.map((assumption) => ({
    ...assumption,
    ...(decisions.get(assumption.id) ?? undecided(without(assumption.id))),
  }));
}
