import type { TestGateway } from './gateway.ts';

/** The drift that the gateway counts and logs during `work`; logged differences are written as `kind member`. */
export async function driftOf(
  gateway: TestGateway,
  work: () => Promise<unknown>,
): Promise<{ counted: number; logged: string[] }> {
  const total = async () => {
    const text = await (await fetch(`${gateway.origin}/metrics`)).text();
    const lines = text.split('\n').filter((line) => line.startsWith('folio_drift_total{'));
    return lines.reduce((sum, line) => sum + Number(line.split(' ')[1]), 0);
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
