import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { credentialHeaders } from '../../src/caller.ts';
import { startCollector } from '../support/collector.ts';
import {
  post,
  readResponse,
  scanOperation,
  sendUpload,
  startTestGateway,
  upload,
  withKey,
} from '../support/gateway.ts';
import { forTest, serviceForFile, temporaryFolder } from '../support/lifetimes.ts';
import { killProcesses, startProcess } from '../support/process.ts';
import { form } from '../support/raw-http.ts';
import * as does from '../support/service.ts';

const canary = { ...withKey('CANARY-key-8231'), authorization: 'Bearer CANARY-token-9922' };
const person = 'CANARY PERSON 900101-14-5555';

const service = await serviceForFile();

it('credentials and personal data are in no log line, error, metric or trace, for any failure', async () => {
  const collector = forTest(await startCollector());
  const gateway = await startTestGateway({
    UPSTREAM_URL: service.url,
    UPSTREAM_READ_DEADLINE_MS: '200',
    UPSTREAM_WRITE_DEADLINE_MS: '200',
    UPSTREAM_SCAN_DEADLINE_MS: '200',
    MAX_REQUEST_BYTES: '8192',
    LOG_LEVEL: 'trace',
    ...collector.environment,
  });
  const echo: does.Behaviour = (request, response) => {
    const { headers } = request;
    const message = `${headers[credentialHeaders.apiKey]} ${headers.authorization} ${person}`;
    const body = { message, errors: [{ message, extensions: { code: message } }] };
    does.json(400, body, { 'x-request-id': String(headers[credentialHeaders.apiKey]) })(request, response);
  };
  const behaviours = [
    echo,
    does.reset,
    does.hang,
    does.htmlPage(500),
    does.json(200, { createGroup: { id: { a: person } } }),
    does.json(200, { [person]: person, createGroup: { id: 1, [person]: person } }),
  ];
  const results: string[] = [];
  for (const behaviour of behaviours) {
    service.will(behaviour);
    for (const query of [
      `mutation { createGroup(input: { name: "${person}" }) { ... on InvalidInput { problems { message } } } }`,
      '{ mexicoValidation(by: { documentId: "1" }) { uuid } }',
      `{ malaysiaStatus(documentId: "${person}") { state } }`,
      `{ nope(name: "${person}") }`,
    ]) {
      results.push(JSON.stringify(await gateway.ask(query, {}, canary)));
    }
    const file = { bytes: person, name: `${person}.png` };
    const form = upload(scanOperation, { file: null }, 'variables.file', file);
    results.push(JSON.stringify(await sendUpload(gateway, form, canary)));
  }
  const bad = await post(gateway, `{"query": ${person}`, canary);
  results.push(JSON.stringify(await readResponse(bad)));
  const headers = { ...canary, ...form.headers };
  const body = form.part(person, ' '.repeat(8_193)) + form.end;
  results.push(
    JSON.stringify(await readResponse(await fetch(gateway.url, { method: 'POST', headers, body }))),
  );
  for await (const event of gateway
    .webSocketClient(canary)
    .iterate({ query: '{ mexicoValidation(by: { documentId: "1" }) { uuid } }' })) {
    results.push(JSON.stringify(event));
  }
  const metrics = await (await fetch(`${gateway.origin}/metrics`)).text();
  await gateway.close();
  expect(gateway.log().length).toBeGreaterThan(20);
  expect(gateway.log().filter((line) => line.includes('CANARY'))).toEqual([]);
  expect(metrics).not.toContain('CANARY');
  expect(collector.spans.length).toBeGreaterThan(40);
  expect(collector.bodies.filter((body) => body.includes('CANARY'))).toEqual([]);
  // The reasons of the service go to the caller who sent the input, without the credentials.
  const reasons = new RegExp(
    `"(problems|messages)":\\[(\\{"message":)?"\\[removed\\] \\[removed\\] ${person}"\\}?\\]`,
    'g',
  );
  const withoutReasons = results.map((answer) => answer.replaceAll(reasons, ''));
  expect(withoutReasons.filter((answer) => answer.includes('CANARY'))).toEqual([]);
});

afterEach(killProcesses);

it('a diagnostic report of Node has no variable of the process', async () => {
  const folder = temporaryFolder();
  const gateway = await startProcess({
    LANE_SECRET: `${person}, as a secret`,
    NODE_OPTIONS: `--report-on-signal --report-directory=${folder}`,
  });
  gateway.process.kill('SIGUSR2');
  const reports = () => globSync(join(folder, '*.json')).map((file) => readFileSync(file, 'utf8'));
  await expect.poll(() => reports().join('')).toMatch(/"javascriptHeap"[\s\S]*\n\}/);
  expect(reports().join('')).not.toContain(person);
});
