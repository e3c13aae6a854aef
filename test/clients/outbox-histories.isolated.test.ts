/** Random histories of an outbox in a fake browser: `FOLIO_OUTBOX_HISTORIES=500 npm run unit -- outbox-histories`. */
import { beforeAll, expect, it } from 'vitest';
import { FakeBrowser, installFakeBrowser } from '../support/fake-browser.ts';
import { redisForFile } from '../support/lifetimes.ts';
import { playHistory } from '../support/outbox-history.ts';
import { openOutboxPage } from '../support/outbox-page.ts';
import { hasRedis } from '../support/redis.ts';

const count = Number(process.env['FOLIO_OUTBOX_HISTORIES'] ?? 6);
const firstSeed = Number(process.env['FOLIO_OUTBOX_SEED'] ?? 1);
/** Histories that run at the same time. */
const atOnce = 6;
/** How much faster than real the clocks of the pages run. */
const speed = 50;

const redis = await redisForFile();
beforeAll(installFakeBrowser);

async function play(seed: number): Promise<string[]> {
  const fake = new FakeBrowser(speed);
  const environment: Record<string, string> = hasRedis() ? { REDIS_URL: redis.url } : {};
  const browser = {
    isFast: true,
    async open(options: Parameters<typeof openOutboxPage>[0]) {
      const tab = fake.open();
      const page = tab.run(() => openOutboxPage(options));
      return {
        page: {
          add: (action) => tab.run(() => page.add(action)),
          actions: () => tab.run(page.actions),
          sendAgain: (id) => tab.run(() => page.sendAgain(id)),
          remove: (id) => tab.run(() => page.remove(id)),
        } satisfies typeof page,
        kill: async () => tab.kill(),
      };
    },
    setOnline: async (isOnline: boolean) => fake.setOnline(isOnline),
    stored: async () => fake.databases.text(),
  };
  const violations = await playHistory({ seed, browser, environment });
  for (const tab of fake.pages) tab.kill();
  if (fake.mostFetches > 1) violations.push(`history ${seed}: ${fake.mostFetches} requests at the same time`);
  return violations;
}

it(`does every action exactly once, in order, and loses none, in ${count} histories`, {
  timeout: 60_000 + count * 1_000,
}, async () => {
  const seeds = Array.from({ length: count }, (_, index) => firstSeed + index);
  const violations: string[] = [];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift())
        violations.push(...(await play(seed)));
    }),
  );
  expect(violations).toEqual([]);
});
