import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { buildExample, type Example, startExample } from '../support/example.ts';
import { exportTests } from './example-web/export.ts';
import { fapiaoTests } from './example-web/fapiao.ts';
import { faultTests } from './example-web/faults.ts';
import { groupTests } from './example-web/groups.ts';
import { languageTests } from './example-web/languages.ts';
import { malaysiaTests } from './example-web/malaysia.ts';
import { mexicoTests } from './example-web/mexico.ts';
import { outboxTests } from './example-web/outbox.ts';
import { sandboxTests } from './example-web/sandbox.ts';
import { scanTests } from './example-web/scan.ts';
import { shellTests } from './example-web/shell.ts';

/** The first run also installs the packages of the example. */
const buildMs = 300_000;

describe.skipIf(!hasBrowser())('the example application in Chromium', { timeout: 60_000 }, () => {
  let example: Example;
  beforeAll(async () => {
    await buildExample();
    example = await startExample();
  }, buildMs);
  afterEach(() => example?.tidy());
  afterAll(() => example?.close());

  const the = () => example;
  shellTests(the);
  scanTests(the);
  outboxTests(the);
  groupTests(the);
  exportTests(the);
  mexicoTests(the);
  fapiaoTests(the);
  malaysiaTests(the);
  faultTests(the);
  sandboxTests(the);
  languageTests(the);
});
