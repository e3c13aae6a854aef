import type { TestGateway } from './gateway.ts';

/** The value of a sample in the gateway's metrics, such as `folio_watches` or `folio_sockets{kind="websocket"}`. */
export async function metricOf({ origin }: Pick<TestGateway, 'origin'>, sample: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const line = text.split('\n').find((line) => line.startsWith(`${sample} `));
  return Number(line?.slice(sample.length));
}
