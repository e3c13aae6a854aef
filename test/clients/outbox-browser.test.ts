/** The outbox in Chromium: random histories with real databases, files, locks and tabs. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, startBrowser } from '../support/browser.ts';
import { type HistoryBrowser, playHistory } from '../support/outbox-history.ts';
import { type ServedPage, servePage } from '../support/page.ts';
import { hasRedis, startRedis, type TestRedis } from '../support/redis.ts';

const count = Number(process.env['FOLIO_OUTBOX_BROWSER_HISTORIES'] ?? 4);
const firstSeed = Number(process.env['FOLIO_OUTBOX_SEED'] ?? 1);

/** Everything that the page's origin has stored in the browser. */
const storedText = `(async () => {
  const done = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
  const found = [{ ...localStorage }, { ...sessionStorage }, document.cookie];
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name));
    for (const store of database.objectStoreNames)
      found.push(name, await done(database.transaction(store).objectStore(store).getAll()));
    database.close();
  }
  return JSON.stringify(found);
})()`;

describe.skipIf(!hasBrowser())('an outbox in Chromium', () => {
  let redis: TestRedis | undefined;
  let served: ServedPage;
  let chromium: Browser;
  beforeAll(async () => {
    if (hasRedis()) redis = await startRedis();
    served = await servePage('test/support/outbox-page.ts');
    chromium = await startBrowser();
  });
  afterAll(async () => {
    await chromium?.close();
    await served?.close();
    await redis?.stop();
  });

  /** A profile of its own. The page is loaded without the network too, as that of an installed application. */
  async function openProfile(): Promise<HistoryBrowser & AsyncDisposable> {
    const context = await chromium.newContext({ permissions: ['local-network-access'] });
    await context.route(`${served.origin}/**`, async (route) => {
      const response = await fetch(route.request().url());
      const contentType = response.headers.get('content-type') ?? '';
      await route.fulfill({ contentType, body: Buffer.from(await response.arrayBuffer()) });
    });
    return {
      isFast: false,
      async open(options) {
        const tab = await context.newPage();
        await tab.goto(served.origin);
        await tab.waitForFunction('globalThis.openOutboxPage');
        await tab.evaluate(`globalThis.page = openOutboxPage(${JSON.stringify(options)}); undefined`);
        const call = (name: string, parameter?: unknown) =>
          tab.evaluate<any>(`page.${name}(${JSON.stringify(parameter) ?? ''})`);
        return {
          page: {
            add: (action) => call('add', action),
            actions: () => call('actions'),
            sendAgain: (id) => call('sendAgain', id),
            remove: (id) => call('remove', id),
          },
          kill: () => tab.close(),
        };
      },
      setOnline: (isOnline) => context.setOffline(!isOnline),
      stored: () => context.pages()[0]?.evaluate<string>(storedText) ?? Promise.resolve(''),
      [Symbol.asyncDispose]: () => context.close(),
    };
  }

  it.each(Array.from({ length: count }, (_, index) => firstSeed + index))(
    'does every action exactly once, in order, and loses none, in history %i',
    async (seed) => {
      await using browser = await openProfile();
      const environment = { CORS_ORIGINS: served.origin, ...(redis && { REDIS_URL: redis.url }) };
      expect(await playHistory({ seed, browser, environment })).toEqual([]);
    },
  );
});
