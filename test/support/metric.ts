import type { TestGateway } from './gateway.ts';

/** The value of a sample in the gateway's metrics, such as `folio_watches` or `folio_sockets{kind="websocket"}`. */
export async function metricOf({ origin }: Pick<TestGateway, 'origin'>, sample: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const line = text.split('\n').find((line) => line.startsWith(`${sample} `));
  return Number(line?.slice(sample.length));
}

/** The samples of one metric, by their labels as written. `url`: of `/metrics`. */
export async function samplesOf(url: string, name: string): Promise<Record<string, number>> {
  const text = await (await fetch(url)).text();
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return Object.fromEntries(
    lines.map((line) => [line.slice(name.length, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  );
}

/** The drift that the gateway counts and logs during `work`, and its result; logged differences are written as `kind member`. */
export async function driftOf<T>(gateway: TestGateway, work: () => Promise<T>) {
  const total = async () => {
    const samples = await samplesOf(`${gateway.origin}/metrics`, 'folio_drift_total');
    return Object.values(samples).reduce((sum, value) => sum + value, 0);
  };
  const [before, earlier] = [await total(), gateway.logged('drift').length];
  const result = await work();
  const logged = gateway.logged('drift').slice(earlier);
  const counted = (await total()) - before;
  return { counted, logged: logged.map(({ kind, member }) => `${kind} ${member}`), result };
}
