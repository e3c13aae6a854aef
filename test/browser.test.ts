import { readFileSync } from 'node:fs';
import { parse, validate, visit } from 'graphql';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { schema } from '../src/graphql/schema.ts';
import { hasBrowser, startBrowser } from './support/browser.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';

const operations = readFileSync('src/http/explorer/operations.graphql', 'utf8');

it('the ready operations of GraphiQL are valid', () => {
  expect(validate(schema, parse(operations))).toEqual([]);
});

it('the ready operations of GraphiQL show every field but the upload', () => {
  const shown = new Set<string>();
  visit(parse(operations), {
    OperationDefinition({ selectionSet }) {
      for (const field of selectionSet.selections) if (field.kind === 'Field') shown.add(field.name.value);
    },
  });
  const offered = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
    .flatMap((type) => Object.keys(type?.getFields() ?? {}))
    .filter((name) => name !== 'scanIdentityCard');
  expect([...shown].sort()).toEqual(offered.sort());
});

describe.skipIf(!hasBrowser())('GraphiQL in Chromium', { timeout: 60_000 }, () => {
  let gateway: TestGateway;
  let browser: Browser;
  let page: Page;
  let requested: string[];
  let complaints: string[];

  beforeAll(async () => {
    gateway = await startTestGateway({
      SANDBOX_SPEED: '10',
      MALAYSIA_POLL_MIN_MS: '50',
      MALAYSIA_POLL_MAX_MS: '100',
    });
    browser = await startBrowser();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });
  beforeEach(async () => {
    requested = [];
    complaints = [];
    page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    page.on('request', (request) => requested.push(request.url()));
    page.on('websocket', (socket) => requested.push(socket.url()));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(gateway.url);
    await page.locator('.graphiql-query-editor .view-lines').waitFor();
  });
  afterEach(async () => {
    const elsewhere = requested.filter((url) => {
      const { protocol, host } = new URL(url);
      return /^(http|ws)/.test(protocol) && host !== new URL(gateway.url).host;
    });
    expect(elsewhere).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  async function run(operation: string): Promise<void> {
    await page.locator('button.graphiql-execute-button').click();
    await page.getByRole('menuitem', { name: operation, exact: true }).click();
  }

  async function response(text: string | RegExp): Promise<void> {
    await page.locator('.graphiql-response').getByText(text).first().waitFor();
  }

  it('answers a query with the credentials of its headers tab', async () => {
    await run('MexicoValidation');
    await response(/INVALID/);
  });

  it('answers a mutation', async () => {
    await run('CreateGroup');
    await response(/queueCount/);
  });

  it('follows an import to its end over a WebSocket', async () => {
    await run('ImportMalaysiaInvoice');
    await response(/documentId/);
    await run('FollowMalaysiaInvoice');
    await response(/VALIDATED/);
    expect(requested.filter((url) => url.startsWith('ws:'))).toHaveLength(1);
  });

  it('follows several imports over one subscription', async () => {
    await run('ImportMalaysiaInvoices');
    await response(/INV-2026-002/);
    await run('FollowMalaysiaInvoices');
    await response(/VALIDATED/);
  });

  it('says that the sandbox answers', async () => {
    expect(await page.title()).toBe('Folio · the sandbox answers');
  });

  it('keeps no credential in the browser’s storage', async () => {
    await run('CreateGroup');
    await response(/queueCount/);
    const stored = await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })');
    expect(stored).not.toMatch(/demo-key|demo-token/);
  });
});

describe('the page', () => {
  it('does not exist in production', async () => {
    const gateway = await startTestGateway({ NODE_ENV: 'production', UPSTREAM_URL: 'sandbox' });
    for (const path of ['/graphql', '/graphiql/boot.js']) {
      const response = await fetch(gateway.origin + path, { headers: { accept: 'text/html' } });
      expect(response.status).toBeGreaterThanOrEqual(400);
    }
    await gateway.close();
  });

  it('is sent under a strict policy, compressed, and not again while it is the same', async () => {
    const gateway = await startTestGateway();
    const page = await fetch(gateway.url, { headers: { accept: 'text/html' } });
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(page.headers.get('content-encoding')).toBe('gzip');
    const etag = page.headers.get('etag') as string;
    const again = await fetch(gateway.url, { headers: { accept: 'text/html', 'if-none-match': etag } });
    expect(again.status).toBe(304);
    await gateway.close();
  });
});
