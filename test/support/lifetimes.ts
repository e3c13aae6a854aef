/**
 * How long what a test starts lives. At the top of a file:
 *
 *   const { service, gateway } = await gatewayOfService();
 *   const other = forFile(await startTestGateway({ UPSTREAM_URL: service.url, LOG_LEVEL: 'silent' }));
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, onTestFinished } from 'vitest';
import { hasRedis, prepareRedis, type TestRedis } from './redis.ts';
import { type Behaviour, startService, type TestService } from './service.ts';

interface Closable {
  close(): unknown;
}

/** Closes `value` after the last test of the file. What was started last is closed first. */
export function forFile<T extends Closable>(value: T): T {
  afterAll(async () => {
    await value.close();
  });
  return value;
}

/** Closes `value` at the end of the running test, also when the test fails. What was started last is closed first. */
export function forTest<T extends Closable>(value: T): T {
  onTestFinished(async () => {
    await value.close();
  });
  return value;
}

/** A new folder, removed at the end of the running test; with `forFile` after the last test of the file. */
export function temporaryFolder(keep: typeof forFile = forTest): string {
  const folder = mkdtempSync(join(tmpdir(), 'folio-test-'));
  keep({ close: () => rmSync(folder, { recursive: true }) });
  return folder;
}

/** A new file with this text in a folder of its own, removed as that is. */
export function temporaryFile(text: string): string {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, text);
  return file;
}

/** A service for all tests of the file. Before each test it has received nothing and responds as at its start. */
export async function serviceForFile(...behaviours: Behaviour[]): Promise<TestService> {
  const service = forFile(await startService(...behaviours));
  beforeEach(() => {
    service.will(...behaviours);
    service.received.length = 0;
  });
  return service;
}

/** A gateway in front of such a service, for all tests of the file. */
export const gatewayOfService = (...behaviours: Behaviour[]) => gatewayWith({}, ...behaviours);

/** The same with these variables. */
export async function gatewayWith(environment: Record<string, string>, ...behaviours: Behaviour[]) {
  // Most files that import this one need none.
  const { startTestGateway } = await import('./gateway.ts');
  const service = await serviceForFile(...behaviours);
  return { service, gateway: forFile(await startTestGateway({ UPSTREAM_URL: service.url, ...environment })) };
}

/** A Redis server for all tests of the file. It does not run where Redis is not installed. */
export async function redisForFile(...parameters: string[]): Promise<TestRedis> {
  const redis = forFile(await prepareRedis(...parameters));
  if (hasRedis()) await redis.start();
  return redis;
}
