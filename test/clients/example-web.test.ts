import { describe } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { useExample } from '../support/example.ts';

const views = ['scan', 'outbox', 'groups', 'export', 'mexico', 'fapiao', 'malaysia'];

describe.skipIf(!hasBrowser())('the example application in Chromium', async () => {
  useExample();
  for (const part of ['shell', ...views, 'faults', 'sandbox', 'languages'])
    await import(`./example-web/${part}.ts`);
});
