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
  const [before, earlier] = [await total(), gateway.logged('drift').length];
  await work();
  const logged = gateway.logged('drift').slice(earlier);
  const counted = (await total()) - before;
  return { counted, logged: logged.map(({ kind, member }) => `${kind} ${member}`) };
}
