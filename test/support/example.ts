/** The built example, served by a server that forwards `/graphql` to a gateway, as in production. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { buildPage, installPackages } from '../../examples/web/packages.ts';
import { startBrowser } from './browser.ts';
import { startTestGateway } from './gateway.ts';
import { controlSandbox, forgetSandboxCalls, sandboxCalls } from './sandbox-controls.ts';

/** The example of the running test. */
export let example: Awaited<ReturnType<typeof startExample>>;

/** The first run also installs the packages of the example. */
const buildMs = 300_000;

/** Builds the example, checks its types, and starts it for the tests of the file. */
export function useExample(): void {
  beforeAll(async () => {
    await installPackages();
    await buildPage();
    example = await startExample();
  }, buildMs);
  afterEach(() => example?.tidy());
  afterAll(() => example?.close());
}

/** So slow that only `advance` changes a state within a test. */
const sandboxSpeed = 0.01;

const environment = {
  PERSISTED_OPERATIONS:
    'examples/web/src/graphql/persisted-documents.json,packages/client/src/gql/persisted-documents.json',
  PERSISTED_OPERATIONS_ONLY: 'true',
  SANDBOX_SPEED: String(sandboxSpeed),
  UPSTREAM_READ_DEADLINE_MS: '2000',
  UPSTREAM_WRITE_DEADLINE_MS: '5000',
  MALAYSIA_POLL_MIN_MS: '50',
  MALAYSIA_POLL_MAX_MS: '100',
  MALAYSIA_POLL_BUDGET_PER_SECOND: '100000',
};

async function startExample() {
  const gateway = await startTestGateway(environment);
  const site = await serveExample(gateway.origin, gateway.serviceUrl);
  const browser = await startBrowser();
  const pages: Page[] = [];
  const thrown: string[] = [];
  /** Of the current test. */
  const others: { close(): Promise<unknown> }[] = [];

  async function openAt(url: string, view: string, locale = 'en-GB'): Promise<Page> {
    const viewport = { width: 1280, height: 860 };
    const context = await browser.newContext({ viewport, locale, timezoneId: 'UTC' });
    const page = await context.newPage();
    pages.push(page);
    page.on('pageerror', (error) => thrown.push(String(error)));
    await page.goto(`${url}#/${view}`);
    await page.locator('.credentials-actions button').last().click();
    return page;
  }

  return {
    /** Opens a view with the credentials of the sandbox, in a browser of this locale. Default: en-GB. */
    open: (view: string, locale?: string) => openAt(site.url, view, locale),
    /** Like `open`, from a server that does not forward the controls of the sandbox. */
    async openWithoutSandbox(view: string) {
      const other = await serveExample(gateway.origin);
      others.push(other);
      return await openAt(other.url, view);
    },
    /** Sets a fault of the service. `times` null: until the fault `none` is set. */
    fault: (endpoint: string, fault: string, times: number | null = 1) =>
      controlSandbox(gateway, 'faults', { endpoint, fault, times }),
    /** Moves the service's clock forward, so that no test waits. */
    advance: (ms: number) => controlSandbox(gateway, 'clock', { advanceMs: ms / sandboxSpeed }),
    /** The calls that the service received at this endpoint. */
    calls: async (endpoint: string) =>
      (await sandboxCalls(gateway)).filter((call) => call['endpoint'] === endpoint),
    /** After each test: closes its pages, and checks that they stored no credential and threw no error. */
    async tidy() {
      await controlSandbox(gateway, 'faults', { endpoint: '*', fault: 'none' });
      await forgetSandboxCalls(gateway);
      for (const page of pages.splice(0)) {
        const kept = await page.evaluate(
          'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])',
        );
        expect(kept).toMatch(/^\[\{("folio-language":"[A-Z]{2}")?\},\{\},"","[^"?]*"\]$/);
        await page.context().close();
      }
      for (const other of others.splice(0)) await other.close();
      expect(thrown).toEqual([]);
    },
    async close() {
      await browser.close();
      await site.close();
      await gateway.close();
    },
  };
}

/** Forwards the controls of the sandbox if its address is given. */
async function serveExample(gatewayOrigin: string, sandboxUrl = '') {
  const child = spawn(
    process.execPath,
    ['node_modules/vite/bin/vite.js', 'preview', '--host', '127.0.0.1', '--port', '0'],
    {
      cwd: 'examples/web',
      env: {
        PATH: process.env['PATH'],
        NO_COLOR: '1',
        FOLIO_GATEWAY: gatewayOrigin,
        FOLIO_SANDBOX: sandboxUrl,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  return {
    url: await addressOf(child),
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    createInterface(child.stdout as NodeJS.ReadableStream).on('line', (line) => {
      printed += `${line}\n`;
      const address = /Local:\s+(http\S+)/.exec(line)?.[1];
      if (address) resolve(address);
    });
    child.stderr?.on('data', (chunk) => (printed += chunk));
    child.on('exit', (code) => reject(new Error(`vite preview ended with ${code}:\n${printed}`)));
  });
}
