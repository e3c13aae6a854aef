/** What `@folio/client` adds to its clients: words for users, outcomes of writes, and its tarball. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createApp } from 'vue';
import { createFolio, type Folio } from '../../packages/client/src/folio.ts';
import { localeOf } from '../../packages/client/src/locale.ts';
import { lostRead } from '../../packages/client/src/lost-read.ts';
import { messageOf } from '../../packages/client/src/message.ts';
import { createOutbox } from '../../packages/client/src/outbox.ts';
import { createSession } from '../../packages/client/src/session.ts';
import { folioPlugin, useExport, useScan } from '../../packages/client/src/vue.ts';
import type { ScanOptions } from '../../packages/client/src/writes.ts';
import { quickPolls, startTestGateway } from '../support/gateway.ts';
import { forFile, forTest } from '../support/lifetimes.ts';
import { readPage } from '../support/markdown.ts';
import { anImport, shortenBackOffs } from '../support/recipe-clients.ts';
import { freePort } from '../support/redis.ts';
import { type Relay, startRelay } from '../support/relay.ts';
import { controlSandbox } from '../support/sandbox-controls.ts';
import * as does from '../support/service.ts';

describe('the words for users', () => {
  const error = (extensions: object) => ({
    message: 'm',
    extensions: { code: 'UPSTREAM_TIMEOUT', ...extensions },
  });

  const mayBeRepeated = error({ sideEffect: 'NONE', retryable: true });
  const listOf = (...effects: string[]) => effects.map((sideEffect) => error({ sideEffect }));
  const perhaps = ' It may have been done: check before you try again.';

  it.each<[string, unknown, string]>([
    ['nothing', error({ sideEffect: 'NONE', retryable: false }), ' Nothing was done.'],
    ['nothing, for now', mayBeRepeated, ' Nothing was done. You can try again.'],
    [
      'nothing, for a minute',
      error({ sideEffect: 'NONE', retryable: true, retryAfterMs: 59_100 }),
      ' Nothing was done. You can try again in 60 s.',
    ],
    ['all', error({ sideEffect: 'APPLIED' }), ' It was done; only the response was lost.'],
    ['what is not known', error({ sideEffect: 'POSSIBLE' }), perhaps],
    ['what the error does not say', error({}), perhaps],
    ['what only a newer gateway says', error({ sideEffect: 'OF_TOMORROW' }), perhaps],
    ['nothing by all errors of a list', listOf('NONE', 'NONE'), ' Nothing was done.'],
    [
      'all by all errors of a list',
      listOf('APPLIED', 'APPLIED'),
      ' It was done; only the response was lost.',
    ],
    ['nothing by one, perhaps something by another', listOf('NONE', 'POSSIBLE'), perhaps],
    ['all by one, perhaps something by another', listOf('APPLIED', 'POSSIBLE'), perhaps],
    ['nothing by one, all by another', listOf('NONE', 'APPLIED'), ''],
    ['all by one, nothing by another', listOf('APPLIED', 'NONE'), ''],
    [
      'nothing for all members of a list (Apollo Client and Relay)',
      { errors: listOf('NONE'), data: { __typename: 'Mutation', imports: [null, null] } },
      ' Nothing was done.',
    ],
    [
      'a part of a list (Apollo Client and Relay)',
      { errors: [mayBeRepeated], data: { imports: [null, { documentId: '5001' }] } },
      '',
    ],
    ['one of several fields', { errors: [mayBeRepeated], data: { one: null, two: { id: '7' } } }, ''],
    ['perhaps a part of a list (urql)', { graphQLErrors: [{ ...mayBeRepeated, path: ['imports', 3] }] }, ''],
  ])('say what was done: %s', (_what, failure, words) => {
    expect(messageOf(failure)).toBe(`The service did not respond in time.${words}`);
  });

  it('say of the problem of a watched document what it is, and nothing about an action', () => {
    const problem = { code: 'NOT_FOUND', message: 'm', retryable: false };
    expect(messageOf(problem)).toBe('The service does not know this document or queue.');
    expect(messageOf({ ...problem, code: 'OF_TOMORROW' }, 'ES')).toBe('La solicitud fue rechazada.');
  });

  it('are in each language, for each code', () => {
    const texts = (['EN', 'ES', 'MS', 'ZH'] as const).map((locale) => [
      messageOf(error({ sideEffect: 'NONE', retryable: true, retryAfterMs: 2000 }), locale),
      messageOf(mayBeRepeated, locale),
      messageOf(error({ code: 'FORBIDDEN', sideEffect: 'POSSIBLE' }), locale),
      messageOf(error({ code: 'OF_TOMORROW', sideEffect: 'APPLIED' }), locale),
      messageOf(undefined, locale),
      messageOf(lostRead(new TypeError('fetch failed')), locale),
    ]);
    expect(texts.map(([first]) => first)).toEqual([
      'The service did not respond in time. Nothing was done. You can try again in 2 s.',
      'El servicio no respondió a tiempo. No se hizo nada. Puede intentarlo de nuevo en 2 s.',
      'Perkhidmatan tidak menjawab tepat pada masanya. Tiada apa-apa yang dilakukan. Anda boleh mencuba lagi dalam 2 s.',
      '服务没有及时答复。没有执行任何操作。您可以在 2 秒后再试。',
    ]);
    expect(new Set(texts.flat()).size).toBe(24);
  });

  it.each([
    ['ES', ['es-419', 'en']],
    ['ZH', ['fr', 'zh-Hant-TW', 'ms']],
    ['MS', ['ms']],
    ['EN', ['fr-FR', 'de', 'toString', '']],
    ['EN', []],
  ])('are in %s for %o', (locale, languages) => {
    expect(localeOf(languages)).toBe(locale);
  });

  it('name no fetch when the connection was lost', () => {
    for (const lost of [new TypeError('fetch failed'), [], undefined, { networkError: new Error('x') }])
      expect(messageOf(lost)).toBe('The connection was lost. It is not known whether it was done.');
  });
});

const gateway = forFile(await startTestGateway(quickPolls));

describe('the writes of a page', () => {
  let relay: Relay;
  let folio: Folio;
  beforeEach(async () => {
    shortenBackOffs();
    relay = forTest(await startRelay(gateway.url));
    folio = createFolio(relay.url, createSession(crypto.randomUUID(), 'token'));
  });
  afterEach(() => void vi.restoreAllMocks());

  it('are logged with the application that the session names, over HTTP, event streams and a socket', async () => {
    const session = createSession('named', 'token', { application: { name: 'my-page', version: '1.2.3' } });
    const logged = () =>
      gateway
        .logged('operation')
        .filter(({ clientName, clientVersion }) => `${clientName} ${clientVersion}` === 'my-page 1.2.3')
        .map(({ operation }) => operation);
    for (const transport of ['websocket', 'event-stream'] as const) {
      const named = createFolio(gateway.url, session, { transport });
      const [written] = await named.importInvoices([anImport(`NAMED-${transport}`)]);
      const { documentId } = (written as { result: { documentId: string } }).result;
      const live = named.liveStatuses();
      live.set([documentId]);
      await expect.poll(() => live.current().size).toBe(1);
      live.set([]);
    }
    const twice = ['mutation', 'mutation', 'subscription', 'subscription'];
    await expect.poll(() => logged().sort()).toEqual(twice);
  });

  it('name the part of a result that is missing', async () => {
    forTest({ close: () => controlSandbox(gateway, 'assumptions', { wrong: [] }) });
    await controlSandbox(gateway, 'assumptions', { wrong: ['scan-has-id'] });
    const scanned = await folio.scan(new File(['a card without an id'], 'card.png'), { queueId: '7' });
    const lost = { path: ['scanIdentityCard'], extensions: { sideEffect: 'POSSIBLE' } };
    expect(scanned).toMatchObject({ kind: 'done', result: { documentId: '' }, errors: [lost] });
    await controlSandbox(gateway, 'faults', { endpoint: 'malaysiaStatus', fault: 'status-403' });
    const [one, two] = await folio.importInvoices([anImport('NO-STATUS-1'), anImport('NO-STATUS-2')]);
    const statuses = [one, two].map((written) => written?.kind === 'done' && written.result.status);
    expect([one, two].map((written) => written?.kind === 'done' && written.errors.length)).toEqual(
      statuses.map((status) => (status === null ? 1 : 0)),
    );
    expect(statuses).toContain(null);
  });

  it('take the key of the page: it settles a scan after a reload, and a new one sends the file again', async () => {
    await controlSandbox(gateway, 'faults', { endpoint: 'scan', fault: 'reset' });
    const file = new File(['a card that is scanned again'], 'card.png');
    const send = (idempotencyKey: string) => folio.scan(file, { queueId: '7', idempotencyKey });
    expect(await send('first-key')).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('may have been done'),
    });
    expect(await folio.settle('first-key')).toEqual({ state: 'OUTCOME_UNKNOWN' });
    expect(await send('first-key')).toMatchObject({ kind: 'failed' });
    const scanned = await send('second-key');
    const documentId = scanned.kind === 'done' ? scanned.result.documentId : '';
    expect(await folio.settle('second-key')).toMatchObject({ state: 'COMPLETED', result: { documentId } });
    expect(await folio.settle('never-used')).toEqual({ state: 'NOT_DONE' });
  });

  it('report their state and outcome to a component of Vue, also where there is no XMLHttpRequest', async () => {
    const app = createApp({});
    app.use(folioPlugin, folio);
    const { scan, exported } = app.runWithContext(() => ({ scan: useScan(), exported: useExport() }));
    const running = scan.run(new File(['a card'], 'card.png'), { queueId: '7' });
    expect([scan.isRunning.value, scan.outcome.value]).toEqual([true, undefined]);
    const scanned = await running;
    expect([scan.isRunning.value, scan.outcome.value]).toEqual([false, scanned]);
    const documentId = scanned.kind === 'done' ? scanned.result.documentId : '';
    await exported.run([String(documentId)]);
    expect(exported.outcome.value).toMatchObject({ kind: 'done', result: { rowCount: 1 } });
  });

  it('report to a component of Vue the progress and the outcome of the last run, also when an earlier one ends after it', async () => {
    const ends: ((name: string) => void)[] = [];
    const scanned = (requestId: string) => ({ kind: 'done', result: { requestId } });
    const running: ScanOptions[] = [];
    const slow = {
      scan(_file: File, options: ScanOptions) {
        running.push(options);
        return new Promise((resolve) => ends.push((name) => resolve(scanned(name))));
      },
    } as unknown as Folio;
    const app = createApp({});
    app.use(folioPlugin, slow);
    const scan = app.runWithContext(useScan);
    const runs = ['one', 'two'].map((name) => scan.run(new File([name], name), { queueId: '7' }));
    running[1]?.onProgress?.(1, 4);
    running[0]?.onProgress?.(4, 4);
    expect(scan.sent.value).toBe(0.25);
    ends[0]?.('one');
    await runs[0];
    expect([scan.isRunning.value, scan.outcome.value]).toEqual([true, undefined]);
    ends[1]?.('two');
    await runs[1];
    expect([scan.isRunning.value, scan.outcome.value]).toEqual([false, scanned('two')]);
  });

  it('return problems, warnings and failures in the language of the page', async () => {
    let locale: 'MS' | 'ZH' = 'MS';
    const session = createSession(crypto.randomUUID(), 'token');
    const page = createFolio(gateway.url, session, { locale: () => locale });
    const note = { queueId: '42', invoice: { ...anImport('CN-2').invoice, docType: 'DEBIT_NOTE' as const } };
    const [refused] = await page.importInvoices([note]);
    expect(refused?.kind === 'refused' && refused.problems[0]?.message).toBe(
      'Bagi nota debit, nombor dokumen invois asal mesti dinyatakan.',
    );
    const noLines = { queueId: '42', invoice: { ...anImport('NO-LINES').invoice, lines: [] } };
    const [accepted] = await page.importInvoices([noLines]);
    const messages = accepted?.kind === 'done' ? accepted.result.warnings.map(({ message }) => message) : [];
    expect(messages).toContain('Dokumen sepatutnya mempunyai sekurang-kurangnya satu baris.');
    locale = 'ZH';
    await controlSandbox(gateway, 'faults', { endpoint: 'export', fault: 'status-403' });
    expect(await page.exportDocuments()).toMatchObject({ message: '您没有访问权限。没有执行任何操作。' });
  });

  it('import 100 invoices that are too large for one request', async () => {
    // The gateway refuses them in one request, since their variables take more memory than one may hold.
    const lines = Array.from({ length: 260 }, () => ({ amountExclTax: '1.00', taxes: [] }));
    const inputs = Array.from({ length: 100 }, (_, index) => {
      const { queueId, invoice } = anImport(`LARGE-${index}`);
      return { queueId, invoice: { ...invoice, lines } };
    });
    const written = await folio.importInvoices(inputs);
    expect(written.map(({ kind }) => kind)).toEqual(inputs.map(() => 'done'));
    const numbers = written.map((one) => one.kind === 'done' && one.result.docNumber);
    expect(numbers).toEqual(inputs.map(({ invoice }) => invoice.docNumber));
    expect(relay.requests.length).toBeGreaterThan(1);
  });
});

it('an outbox says what it needs on a server, which has no IndexedDB', () => {
  const open = () => createOutbox(gateway.url, createSession('key', 'token'), { user: 'job' });
  expect(open).toThrow('The outbox needs IndexedDB and Web Locks: a page with HTTPS, or of localhost.');
});

it('live statuses report an id that the gateway refuses, and watch the others', async () => {
  const live = createFolio(gateway.url, createSession('mixed', 'token')).liveStatuses();
  const ids = ['2001', 'no/such/id', '2002'];
  live.set(ids);
  await expect.poll(() => live.current().size).toBe(3);
  const problems = ids.map((id) => live.current().get(id)?.problem?.code ?? null);
  expect(problems).toEqual([null, 'BAD_USER_INPUT', null]);
  live.set([]);
});

describe('the package that is packed', () => {
  // Here its peers are found.
  const target = mkdtempSync(resolve('node_modules/.client-'));
  const packed = join(target, 'package');
  const manifest = () => JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'));
  beforeAll(() => void execFileSync(process.execPath, ['scripts/client.ts', '--to', packed]));
  afterAll(() => rmSync(target, { recursive: true }));

  it('has no dependency of its own, and the version of the gateway', () => {
    expect(manifest()).not.toHaveProperty('dependencies');
    expect(manifest().version).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version);
  });

  it('has entries that can be imported, with declarations, and the manifest of its operations', async () => {
    const entries = Object.values<string | { types: string; default: string }>(manifest().exports);
    const modules = entries.flatMap((entry) => (typeof entry === 'string' ? [] : entry));
    expect(modules.length).toBeGreaterThan(7);
    for (const { types } of modules) expect(existsSync(join(packed, types)), types).toBe(true);
    const imported = modules.filter(({ default: file }) => !/react|vue/.test(file));
    for (const { default: file } of imported)
      expect(Object.keys(await import(join(packed, file))), file).not.toEqual([]);
    const operations = readFileSync(join(packed, 'gql/persisted-documents.json'), 'utf8');
    expect(operations).toContain('malaysiaStatusesChanged');
  });

  it('has a README whose example works', async () => {
    const gateway = forTest(await startTestGateway(quickPolls));
    const { blocks } = readPage(readFileSync(join(packed, 'README.md'), 'utf8'));
    const example = blocks.find(({ kind }) => kind === 'js')?.text ?? '';
    expect(example).toContain("'https://folio.example/graphql'");
    const file = join(packed, 'example.mjs');
    writeFileSync(file, example.replace('https://folio.example/graphql', gateway.url));
    const program = spawn(process.execPath, [file]);
    onTestFinished(() => void program.kill());
    let output = '';
    for (const stream of [program.stdout, program.stderr]) stream.on('data', (chunk) => (output += chunk));
    await expect.poll(() => output).toMatch(/^\d+ SUBMITTED$/m);
  });

  it('has an example of a server that goes on while the gateway cannot be reached, and shows a text of the service as text, in its own letters', async () => {
    const reason = 'The name is <img src=x onerror=alert(1)> & señal';
    const record = { documentId: '1002', validation_result: 'INVALID', invalid_reason: reason, steps: {} };
    const service = forTest(await does.startService(does.json(200, record)));
    const file = join(packed, 'server.mjs');
    writeFileSync(file, stripTypeScriptTypes(readFileSync('examples/clients/node/main.ts', 'utf8')));
    // A read is sent again for half a minute: the clock is a thousand times as fast.
    const clock = 'const now = performance.now.bind(performance); performance.now = () => now() * 1000;';
    const parameters = ['--import', `data:text/javascript,${encodeURIComponent(clock)}`, file];
    const [PORT, gatewayPort] = [String(await freePort()), String(await freePort())];
    const env = { PORT, FOLIO_URL: `http://127.0.0.1:${gatewayPort}/graphql` };
    const program = spawn(process.execPath, parameters, { env });
    onTestFinished(() => void program.kill());
    const page = async () => {
      const response = await fetch(`http://127.0.0.1:${PORT}`);
      return {
        status: response.status,
        type: response.headers.get('content-type'),
        text: await response.text(),
      };
    };
    const shown = /<div id="app">(?!never validated|undefined).+<\/div>/;
    await expect.poll(page).toMatchObject({ status: 502, text: expect.stringMatching(shown) });
    forTest(await startTestGateway({ UPSTREAM_URL: service.url, PORT: gatewayPort }));
    const text = expect.stringContaining('INVALID: The name is &lt;img src=x onerror=alert(1)> &amp; señal');
    await expect.poll(page).toEqual({ status: 200, type: 'text/html; charset=utf-8', text });
  });
});
