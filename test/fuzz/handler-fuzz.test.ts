/** Callers of a gateway inside another server, who leave at any moment. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { startParts } from '../../src/gateway-parts.ts';
import { createFetchServer } from '../../src/http/fetch/server.ts';
import { Resources } from '../../src/tools/resources.ts';
import { alice } from '../support/gateway.ts';
import { forTest } from '../support/lifetimes.ts';
import { Random } from '../support/random.ts';
import { silentLog } from '../support/redis.ts';
import { anOperation, anUpload } from './attacks.ts';
import { findKey, heldAfterwards } from './held.ts';
import { startSlowService } from './slow-service.ts';

const callers = 20;
/** Number of their calls. */
const calls = 160;

/** Waits for some steps of the same turn of the event loop, for some turns, or for some time. */
async function waitABit(random: Random): Promise<void> {
  const [steps, turns, ms] = [random.below(40), random.below(6), random.below(200)];
  const waits = [
    async () => {
      for (let step = 0; step < steps; step += 1) await undefined;
    },
    async () => {
      for (let turn = 0; turn < turns; turn += 1) await nextTurn();
    },
    () => sleep(ms),
  ];
  await random.pick(waits)();
}

/** Arrives in pieces, and perhaps not to its end. */
function bodyOf(text: string, random: Random): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(random.chance(0.2) ? text.slice(0, random.below(text.length)) : text);
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      await waitABit(random);
      if (at >= bytes.length) return controller.close();
      const piece = bytes.subarray(at, at + 1 + random.below(random.pick([10, 1_000, 100_000])));
      at += piece.length;
      controller.enqueue(new Uint8Array(piece));
    },
  });
}

it('a handler holds nothing for callers who have left, whenever they left', { retry: 0 }, async () => {
  const random = new Random('handler', 1);
  const service = forTest(await startSlowService(new Random('service', 1)));
  const config = readConfig({ UPSTREAM_URL: service.url, IDEMPOTENCY_TTL_MS: '1000' });
  const resources = forTest(new Resources());
  const { http } = await startParts({ config, log: silentLog }, resources);
  const server = createFetchServer(http);
  const send = (init: RequestInit) =>
    server.fetch(new Request('http://folio.test/graphql', { method: 'POST', ...init }));

  async function callAndLeave(): Promise<void> {
    const { headers, body } = random.chance(0.4) ? anUpload(random) : anOperation(random);
    const controller = new AbortController();
    const leave = async () => {
      for (let waits = random.below(4); waits >= 0; waits -= 1) await waitABit(random);
      controller.abort();
    };
    const request = { headers, body: bodyOf(body, random), duplex: 'half', signal: controller.signal };
    const [response] = await Promise.all([
      send(request as RequestInit).catch(() => undefined),
      random.chance(0.7) && leave(),
    ]);
    await response?.body?.cancel().catch(() => {});
  }

  const calling = Array.from({ length: callers }, async () => {
    for (let call = 0; call < calls / callers; call += 1) await callAndLeave();
  });
  await Promise.all(calling);
  const headers = { ...alice, 'content-type': 'application/json' };
  const held = await heldAfterwards(async () => {
    await send({ headers, body: JSON.stringify({ query: findKey }) });
    return (await http.metrics.text({ isOpenMetrics: false })).text;
  });
  expect(held).toEqual([]);
});
