/** Compares the responses of contenders with those of LIMIT, before anything is timed. */
import { isDeepStrictEqual } from 'node:util';
import { answerTo, askOne, type ContenderServer, startContender } from './contender-server.ts';
import { type Contender, limit } from './contenders.ts';
import type { Upstream } from './upstream/upstream.ts';
import type { HttpWorkload, Requests } from './workloads/workload.ts';

export function requestsFor(workload: HttpWorkload, { isWire }: Pick<Contender, 'isWire'>): Requests {
  return isWire && workload.wire ? workload.wire.requests : workload.requests;
}

const samples = 20;

/** Throws when a contender's responses differ from LIMIT's. Returns the mean length of each one's responses (bytes). */
export async function compareResponses(
  workload: HttpWorkload,
  all: readonly Contender[],
  upstream: Upstream,
): Promise<Map<string, number>> {
  const lengths = new Map<string, number>();
  const start = (contender: Contender) =>
    startContender(contender, upstream.url, workload.name, requestsFor(workload, contender));
  const reference = await start(limit);
  try {
    for (const contender of all) {
      const server = contender === limit ? reference : await start(contender);
      const expected = async (index: number) =>
        contender.isWire && workload.wire
          ? workload.wire.expected(index)
          : await askOne(reference.url, workload.requests, index);
      try {
        lengths.set(contender.name, await compareOne(workload, server, expected));
        await compareCalls(workload, server, upstream);
      } finally {
        if (server !== reference) await server.stop();
      }
    }
  } finally {
    await reference.stop();
  }
  return lengths;
}

async function compareOne(
  workload: HttpWorkload,
  { contender, url }: ContenderServer,
  expected: (index: number) => Promise<unknown>,
): Promise<number> {
  const { contentType, bodies } = requestsFor(workload, contender);
  const count = Math.min(samples, bodies.length);
  let bytes = 0;
  for (let index = 0; index < count; index += 1) {
    const answer = await answerTo(url, contentType, bodies[index] as string | Buffer);
    const wanted = await expected(index);
    if (!isDeepStrictEqual(answer.data, wanted)) {
      const [got, limits] = [answer.data, wanted].map((data) => JSON.stringify(data).slice(0, 800));
      throw new Error(`${contender.name} responds differently from LIMIT:\n${got}\n${limits}`);
    }
    bytes += answer.bytes;
  }
  return bytes / count;
}

/** Throws when a request of the contender makes another number of calls than the workload says. */
async function compareCalls(
  workload: HttpWorkload,
  { contender, url }: ContenderServer,
  upstream: Upstream,
): Promise<void> {
  const { calls } = workload;
  if (!calls?.contenders.includes(contender.name)) return;
  const before = await upstream.calls();
  await askOne(url, requestsFor(workload, contender), samples);
  const made = (await upstream.calls()) - before;
  if (made !== calls.count) throw new Error(`${contender.name} makes ${made} calls, not ${calls.count}`);
}
