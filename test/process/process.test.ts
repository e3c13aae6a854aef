import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configTable } from '../../src/config/variables.ts';
import {
  alice,
  readinessOf,
  scanOperation,
  sendUpload,
  startTestGateway,
  upload,
} from '../support/gateway.ts';
import { forTest, serviceForFile } from '../support/lifetimes.ts';
import { type GatewayProcess, killProcesses, outputOf, runMain, startProcess } from '../support/process.ts';
import { form, openConnection } from '../support/raw-http.ts';
import * as does from '../support/service.ts';

const service = await serviceForFile();

describe('a process without settings', () => {
  /** Throws on a signal, and does not find a development dependency. */
  const hook = `
    import { registerHooks } from 'node:module';
    process.on('SIGUSR2', () => { throw new Error('fault in an event'); });
    registerHooks({
      resolve(specifier, context, next) {
        if (specifier !== 'pino-pretty') return next(specifier, context);
        throw Object.assign(new Error('not installed'), { code: 'ERR_MODULE_NOT_FOUND' });
      },
    });`;
  let gateway: GatewayProcess;
  beforeAll(async () => {
    gateway = await startProcess({
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}`,
    });
  });
  afterAll(killProcesses);

  it('starts with the sandbox, prints its address, and is alive and ready', async () => {
    expect(gateway.lines).toContainEqual(
      expect.stringMatching(/^sandbox listening on http:\/\/127\.0\.0\.1:\d+\/ \(UPSTREAM_URL is not set\)$/),
    );
    const { data } = await gateway.ask('{ mexicoValidation(by: { documentId: "1001" }) { result } }');
    expect(data).toEqual({ mexicoValidation: { result: 'VALID' } });
    expect(await (await fetch(`${gateway.origin}/health`)).json()).toEqual({ status: 'alive' });
    expect(await readinessOf(gateway)).toEqual({ httpStatus: 200, status: 'ready', degraded: [] });
  });

  it('logs an error that no handler has caught, and goes on', async () => {
    gateway.process.kill('SIGUSR2');
    await expect.poll(() => gateway.lines.join('\n')).toContain('fault in an event');
    expect((await gateway.ask('{ __typename }')).status).toBe(200);
  });

  /** In one process the client has sent everything before the gateway closes the connection. */
  it('responds to a client that still sends an upload of two files, which it rejects, each of 4 times', async () => {
    const bytes = Buffer.alloc(3_000_000);
    for (let time = 0; time < 4; time += 1) {
      const twoFiles = upload(scanOperation, { file: null }, 'variables.file', { bytes, name: 'a.png' });
      twoFiles.set('map', JSON.stringify({ 0: ['variables.file'], 1: ['variables.file'] }));
      twoFiles.set('1', new Blob([bytes]), 'b.png');
      const { status, errors } = await sendUpload(gateway, twoFiles);
      expect(status).toBe(400);
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_REQUEST', sideEffect: 'NONE' });
    }
  });

  it('logs JSON, and says why, where the development dependencies are not installed', async () => {
    await gateway.ask('query Last { __typename }');
    expect(await gateway.stop()).toBe(0);
    expect(gateway.logged('operation').at(-1)).toMatchObject({ name: 'Last', outcome: 'ok' });
    const reason = gateway.logged().filter(({ msg }) => msg.includes('pino-pretty'));
    expect(reason).toHaveLength(1);
  });
});

it('the process prints every variable with --help, and V8 prints no flag that it does not know', async () => {
  const flags = [...readFileSync('src/main.ts', 'utf8').matchAll(/setFlagsFromString\('(--[\w-]+)'/g)];
  // External memory counts with the heap.
  expect(flags.map(([, flag]) => flag)).toContain('--external-memory-accounted-in-global-limit');
  const { code, text } = await outputOf(runMain({}, '--help'));
  expect(code).toBe(0);
  for (const { name, default: preset } of configTable)
    expect(text).toMatch(new RegExp(`^${name} {2,}${RegExp.escape(preset)} {2,}\\S`, 'm'));
  expect(text).not.toMatch(/unrecognized|--external-memory/);
});

it('the process reports all problems of its configuration together, in production as a line of the log, and exits with 78', async () => {
  const secret = 'short-secret';
  const { code, text } = await outputOf(
    runMain({ PORT: 'x', MAX_UPLOAD_BYTES: '-1', LANE_SECRET: secret, NODE_ENV: 'production' }),
  );
  expect(code).toBe(78);
  const { level, msg } = JSON.parse(text);
  expect(level).toBe('fatal');
  for (const name of ['PORT', 'MAX_UPLOAD_BYTES', 'LANE_SECRET', 'UPSTREAM_URL']) expect(msg).toContain(name);
  expect(text).not.toContain(secret);
});

it('a gateway in production discloses nothing: no introspection, suggestions, page or sandbox controls', async () => {
  const gateway = forTest(await startTestGateway({ NODE_ENV: 'production', UPSTREAM_URL: 'sandbox' }));
  const twins = 'fragment F on Query { __typename } fragment F on Query { ...F }';
  for (const fragments of ['', twins]) {
    const { data, errors } = await gateway.ask(`{ __schema { types { name } } } ${fragments}`);
    expect([data, errors?.[0]?.extensions['code']]).toEqual([undefined, 'GRAPHQL_VALIDATION_FAILED']);
  }
  const typo = await gateway.ask('{ mexicoValidatio }');
  expect(typo.errors?.[0]?.message).not.toMatch(/mean/);
  const byVariable = 'query ($by: MexicoValidationReference!) { mexicoValidation(by: $by) { result } }';
  const typoInVariable = await gateway.ask(byVariable, { by: { documentI: '1' } });
  expect(typoInVariable.errors?.[0]?.message).toMatch(/^Variable "\$by".*"documentI"[^?]*$/);
  expect((await fetch(new URL('/sandbox/calls', gateway.serviceUrl))).status).toBe(404);
  for (const path of ['/graphql', '/graphiql/boot.js']) {
    const page = await fetch(gateway.origin + path, { headers: { accept: 'text/html' } });
    expect(page.status).toBeGreaterThanOrEqual(400);
  }
  const { headers } = await fetch(new URL('/nowhere', gateway.url));
  expect(headers.get('server') ?? headers.get('x-powered-by')).toBeNull();
});
describe('SIGTERM', () => {
  const created = does.json(200, { createGroup: { id: 1 } });
  const scanned = does.json(200, { scanDocuments: { docId: 3, data: {} } });

  it('finishes an upload and a mutation', async () => {
    let answer: () => void = () => {};
    service.will((request, response) => {
      if (request.url?.includes('scan')) scanned(request, response);
      else answer = () => created(request, response);
    });
    const environment = { UPSTREAM_URL: service.url, SHUTDOWN_GRACE_MS: '12000' };
    const gateway = forTest(await startProcess(environment));
    await openConnection(gateway.url);

    const slow = gateway.ask('mutation { createGroup(input: {}) { ... on Group { id } } }');
    const { file, body } = slowUpload();
    const uploading = fetch(gateway.url, {
      method: 'POST',
      headers: { ...alice, ...form.headers },
      body,
      duplex: 'half',
    } as RequestInit);
    while (service.received.length < 2) await new Promise(setImmediate);

    gateway.process.kill('SIGTERM');
    for (let chunk = 0; chunk < 20; chunk += 1) {
      file.enqueue(new Uint8Array(500_000));
      await new Promise(setImmediate);
    }
    file.enqueue(Buffer.from(`\r\n${form.end}`));
    file.close();
    answer();
    expect(await (await uploading).json()).toEqual({ data: { scanIdentityCard: { documentId: '3' } } });
    expect((await slow).data).toEqual({ createGroup: { id: '1' } });
    expect(await gateway.exited).toBe(0);
    expect(gateway.lines.join('\n')).not.toMatch(/unhandled|rejection|"level":"error"/i);
  });
});

/** A scan whose file has not been sent yet. */
function slowUpload() {
  let file!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      file = controller;
    },
  });
  file.enqueue(Buffer.from(form.beforeFile(scanOperation, { file: null }) + form.file('')));
  file.enqueue(new Uint8Array(300_000));
  return { file, body };
}
