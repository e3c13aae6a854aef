import type { TestGateway } from './gateway.ts';
import { samplesOf } from './metric.ts';

/** The drift that the gateway counts and logs during `work`; logged differences are written as `kind member`. */
export async function driftOf(
  gateway: TestGateway,
  work: () => Promise<unknown>,
): Promise<{ counted: number; logged: string[] }> {
  const total = async () => {
    const samples = await samplesOf(`${gateway.origin}/metrics`, 'folio_drift_total');
    return Object.values(samples).reduce((sum, value) => sum + value, 0);
  };
  const [before, lines] = [await total(), gateway.log().length];
  await work();
  const logged = gateway
    .log()
    .slice(lines)
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'drift')
    .map(({ kind, member }) => `${kind} ${member}`);
  return { counted: (await total()) - before, logged };
}
