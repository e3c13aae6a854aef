import { readFileSync } from 'node:fs';
import {
  type DocumentNode,
  type FieldNode,
  getNullableType,
  getVariableValues,
  isInputObjectType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  parse,
  typeFromAST,
  validate,
} from 'graphql';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readExampleOperations } from '../../src/http/example-operations.ts';
import { schema } from '../../src/schema.ts';
import { hasBrowser, startBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { sendUpload, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { forTest } from '../support/lifetimes.ts';
import { sandboxCalls } from '../support/sandbox-controls.ts';

const card = 'examples/web/public/sample-card.jpg';

const tabs = (await readExampleOperations()).map(({ query, variables }) => ({
  document: parse(query),
  variables: variables === '' ? {} : JSON.parse(variables),
}));

function operationsOf(document: DocumentNode): OperationDefinitionNode[] {
  return document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
}

/** The files that the sandbox received. */
async function scannedFiles(gateway: TestGateway): Promise<unknown[]> {
  const scans = (await sandboxCalls(gateway)).filter((call) => call['endpoint'] === 'scan');
  return scans.map((call) => call['file']);
}

describe('the tabs of GraphiQL', () => {
  it('hold valid operations and valid variables', () => {
    for (const { document, variables } of tabs) {
      expect(validate(schema, document)).toEqual([]);
      for (const { name, variableDefinitions = [] } of operationsOf(document)) {
        const { errors = [] } = getVariableValues(schema, variableDefinitions, variables);
        // GraphiQL replaces the placeholder with the chosen file.
        const expected = name?.value === 'ScanIdentityCard' ? [expect.stringContaining('Upload')] : [];
        const messages = errors.map(({ message }) => message);
        expect(messages, name?.value).toEqual(expected);
      }
    }
  });

  it('give every member of an input that has a default in the schema, because GraphiQL underlines a missing one', () => {
    for (const { document, variables } of tabs)
      for (const { variableDefinitions = [] } of operationsOf(document))
        for (const { variable, type } of variableDefinitions) {
          const input = getNullableType(typeFromAST(schema, type));
          const value = variables[variable.name.value];
          if (!isInputObjectType(input) || value === undefined) continue;
          const required = Object.values(input.getFields()).filter((field) => isNonNullType(field.type));
          expect(Object.keys(value)).toEqual(expect.arrayContaining(required.map(({ name }) => name)));
        }
  });

  it('show every root field', () => {
    const operations = tabs.flatMap(({ document }) => operationsOf(document));
    const shown = operations.flatMap(({ selectionSet }) =>
      selectionSet.selections.flatMap((field) => (field.kind === Kind.FIELD ? [field.name.value] : [])),
    );
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    const offered = roots.flatMap((type) => Object.keys(type?.getFields() ?? {}));
    expect(shown.sort()).toEqual(offered.sort());
  });
});

describe.skipIf(!hasBrowser())('GraphiQL in Chromium', () => {
  let gateway: TestGateway;
  let browser: Browser;
  /** Shared, so that its cache keeps the compiled code of the editor. */
  let context: BrowserContext;
  let page: Page;
  let requested: string[];
  let complaints: string[];

  beforeAll(async () => {
    const polls = { MALAYSIA_POLL_MIN_MS: '50', MALAYSIA_POLL_MAX_MS: '100' };
    gateway = await startTestGateway({ SANDBOX_SPEED: '100', ...polls });
    browser = await startBrowser();
    context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });
  beforeEach(async () => {
    requested = [];
    complaints = [];
    page = await context.newPage();
    const { origin } = gateway;
    const client = await context.newCDPSession(page);
    await client.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' });
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

  async function open(tab: string): Promise<void> {
    await page.getByRole('button', { name: tab, exact: true }).click();
    await page.locator('.graphiql-tab-active', { hasText: tab }).waitFor();
    const editor = page.locator('.graphiql-query-editor .view-lines');
    await editor.getByText(tab, { exact: true }).first().waitFor();
  }

  /** The button runs the only operation of a tab, or opens a menu of all operations, once GraphiQL has parsed the tab. */
  async function run(operation: string): Promise<void> {
    const names = tabs.map(({ document }) => operationsOf(document).map(({ name }) => name?.value));
    const isOnly = names.some((inTab) => inTab.length === 1 && inTab[0] === operation);
    const kind = isOnly ? ':not([aria-haspopup])' : '[aria-haspopup]';
    await page.locator(`button.graphiql-execute-button${kind}`).click();
    if (!isOnly) await page.getByRole('menuitem', { name: operation, exact: true }).click();
  }

  const fileInput = () => page.locator('#file-control input');

  async function response(text: string | RegExp, timeout = 30_000): Promise<void> {
    await page.locator('.graphiql-response').getByText(text).first().waitFor({ timeout });
  }

  /** Until GraphiQL has parsed the tab, its button runs the operation of the last one. */
  async function runOpened(tab: string, expected: string | RegExp): Promise<void> {
    const shown = async () => {
      await run(tab);
      await response(expected, 1_000);
    };
    await eventually(shown);
  }

  it('gives the editor the focus, so that Ctrl-Enter runs the first tab, and says how to leave an editor by keyboard', async () => {
    await page.waitForFunction("document.activeElement.closest('.graphiql-query-editor')");
    await page.keyboard.press('Control+Enter');
    await response(/isValid/);
    const hint = page.locator('#keyboard-hint');
    expect(await hint.textContent()).toBe('');
    await page.keyboard.press('Tab');
    expect(await hint.textContent()).toContain('Ctrl+M');
    await page.keyboard.press('Control+m');
    await page.keyboard.press('Tab');
    await page.waitForFunction("!document.activeElement.closest('.monaco-editor')");
    expect(await hint.textContent()).toBe('');
  });

  it('opens each tab by mouse, runs its first operation against the sandbox, and follows an import to its end over a WebSocket', async () => {
    const operations = tabs.map(({ document }) => operationsOf(document)[0]?.name?.value as string);
    expect(await page.locator('.graphiql-tab-button').allInnerTexts()).toEqual(operations);
    // The last tab first: the other tests expect that the first document is an import.
    for (const { document } of tabs.toReversed()) {
      const [{ name, selectionSet }] = operationsOf(document) as [OperationDefinitionNode];
      const tab = name?.value as string;
      const [field] = selectionSet.selections as readonly FieldNode[];
      // Without a file nothing is sent.
      const expected = tab === 'ScanIdentityCard' ? /Choose.a.file/ : `"${field?.name.value}"`;
      await open(tab);
      await runOpened(tab, expected);
      const shown = await page.locator('.graphiql-response .view-lines').innerText();
      expect(/"errors"/.test(shown), tab).toBe(tab === 'ScanIdentityCard');
    }
    await run('MalaysiaStatusChanged');
    await response(/VALIDATED/);
    expect(requested.filter((url) => url.startsWith('ws:'))).toHaveLength(1);
  });

  it('ends the request of an operation that is stopped, and says that a write may have been done', async () => {
    await page.route('**/graphql', () => {});
    const stopButton = page.getByRole('button', { name: 'Stop query' });
    for (const stop of [() => stopButton.click(), () => open('GatewayInfo')]) {
      await open('CreateGroup');
      const sent = page.waitForRequest('**/graphql');
      await run('CreateGroup');
      await sent;
      const ended = page.waitForEvent('requestfailed');
      await stop();
      expect((await ended).failure()).toEqual({ errorText: 'net::ERR_ABORTED' });
      await response(/CreateGroup.was.stopped..A.write.may.have/);
    }
  });

  it('says where the gateway cannot be reached, and with which code and reason a WebSocket was closed', async () => {
    await page.route('**/graphql', (route) => route.abort());
    await page.routeWebSocket('**/graphql', (socket) => socket.close({ code: 4400, reason: 'Bad request' }));
    await run('ImportMalaysiaInvoice');
    await response(/No.response.from/);
    await run('MalaysiaStatusChanged');
    await response(/4400:.Bad.request/);
    expect(await page.locator('.graphiql-response').innerText()).not.toMatch(/isTrusted|stack/);
    complaints = complaints.filter((text) => !text.includes('net::ERR_FAILED'));
  });

  it('names the sandbox in its title, and in a notice above the editor until it is dismissed', async () => {
    expect(await page.title()).toBe('Folio · sandbox');
    const notice = page.getByText('The embedded sandbox is in use: no real document is touched.');
    const editor = page.locator('#root');
    const [line, below] = await Promise.all([notice.boundingBox(), editor.boundingBox()]);
    expect(line).toMatchObject({ y: 0, width: 1400 });
    expect(below).toMatchObject({ y: line?.height, height: 900 - (line?.height ?? 0) });
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await notice.waitFor({ state: 'detached' });
    expect(await editor.boundingBox()).toMatchObject({ y: 0, height: 900 });
  });

  it('shows the response below the editors, as wide as they are, on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const editors = await page.locator('.graphiql-editors').boundingBox();
    const shown = await page.locator('.graphiql-response').boundingBox();
    expect(editors?.width).toBeGreaterThan(350);
    expect(shown).toMatchObject({ x: editors?.x, width: editors?.width });
    expect(shown?.y).toBeGreaterThan((editors?.y ?? 0) + (editors?.height ?? 0));
    expect(shown?.height).toBeGreaterThan(250);
    // On a smaller one all of it scrolls.
    await page.setViewportSize({ width: 360, height: 640 });
    const top = () =>
      page.locator('.graphiql-query-editor').evaluate((editor) => editor.getBoundingClientRect().top);
    const before = await top();
    const scrolled = await page.locator('#root').evaluate((root) => {
      root.scrollTo(0, 100);
      return root.scrollTop;
    });
    expect(scrolled).toBe(100);
    expect(await top()).toBeCloseTo(before - 100, 0);
  });

  it('shows the calls that were made for a result, and restores its tabs and default headers after a reload, though it stores no credential', async () => {
    await open('MexicoValidation');
    const stored = () => page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage })');
    await expect.poll(stored).toContain('\\"activeTabIndex\\":2');
    for (const isReloaded of [false, true]) {
      if (isReloaded) await page.reload();
      await page.locator('.graphiql-tab-active', { hasText: 'MexicoValidation' }).waitFor();
      expect(await page.locator('.graphiql-tab').count()).toBe(tabs.length);
      await run('MexicoValidation');
      await response(/INVALID/);
    }
    // The editor renders the visible lines only.
    await page.locator('.graphiql-response .view-lines').hover();
    await page.mouse.wheel(0, 10_000);
    await response(/extensions/);
    await response(/durationMs/);
    expect(await stored()).not.toMatch(/demo-key|demo-token/);
  });

  it('names the variable that a chosen file fills, and sends nothing until there is a file', async () => {
    expect(await fileInput().isVisible()).toBe(false);
    await open('ScanIdentityCard');
    await page.getByText('File for input.file in the variables:').waitFor();
    const sent = requested.length;
    await runOpened('ScanIdentityCard', /Choose.a.file/);
    const focused = (input: Element) => input.matches(':focus') && getComputedStyle(input).outlineStyle;
    expect(await fileInput().evaluate(focused)).toBe('solid');
    expect(requested.slice(sent).filter((url) => url === gateway.url)).toEqual([]);

    await fileInput().setInputFiles(card);
    await run('ScanIdentityCard');
    await response(/documentId/);
    expect(await scannedFiles(gateway)).toMatchObject([{ name: 'sample-card.jpg' }]);
    await open('MexicoValidation');
    await fileInput().waitFor({ state: 'hidden' });
  });
});

describe('the GraphiQL page', () => {
  it('has a script that builds the multipart request of a chosen file', async () => {
    const gateway = forTest(await startTestGateway());
    const script = await (await fetch(`${gateway.origin}/graphiql/upload.js`)).text();
    const { filePaths, multipartOf } = await import(`data:text/javascript,${encodeURIComponent(script)}`);
    const tab = (await readExampleOperations()).find(({ query }) => query.includes('scanIdentityCard'));
    const variables = JSON.parse(tab?.variables ?? '');
    expect(filePaths(variables)).toEqual(['variables.input.file']);
    expect(filePaths({ list: [null, { file: '$file' }], text: 'the $file' })).toEqual([
      'variables.list.1.file',
    ]);
    expect(filePaths(undefined)).toEqual([]);

    const file = new File(['any bytes'], 'card.png');
    const { errors, data } = await sendUpload(gateway, multipartOf({ query: tab?.query, variables }, file));
    expect(errors).toBeUndefined();
    expect(data.scanIdentityCard).toMatchObject({ __typename: 'ScanResult', documentId: '5001' });
    expect(await scannedFiles(gateway)).toMatchObject([{ name: 'card.png', bytes: 9 }]);
    expect(variables).toEqual(JSON.parse(tab?.variables ?? ''));
  });

  it('mentions the sandbox, and links to its page, only where it is in use', async () => {
    const gateway = forTest(await startTestGateway());
    const html = await (await fetch(gateway.url, { headers: { accept: 'text/html' } })).text();
    const link = /<a href="([^"]+)"[^>]*>Test inputs and controls</.exec(html)?.[1];
    const linked = await fetch(new URL(link ?? '', gateway.url));
    expect(linked.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await linked.text()).toBe(readFileSync('docs/sandbox.md', 'utf8'));
    const other = forTest(await startTestGateway({ UPSTREAM_URL: gateway.serviceUrl }));
    const ready = await fetch(`${other.origin}/graphiql/ready.json`);
    expect(await ready.json()).toMatchObject({ isSandbox: false });
    expect((await fetch(new URL(link ?? '', other.url))).status).toBe(404);
  });
});
