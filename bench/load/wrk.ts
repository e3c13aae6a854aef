/** Runs wrk as the load: one thread and the given number of connections, each sending one request after the other. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { credentialHeaders } from '../../src/caller.ts';
import { startPinned } from '../processes.ts';
import type { Requests } from '../workloads/workload.ts';

export const credentials = {
  [credentialHeaders.apiKey]: 'bench-key',
  authorization: 'Bearer bench-token',
} as const;

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** Of the responses, including their heads. */
  readonly bytes: number;
  /** Responses without status 2xx, timeouts and broken connections. */
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** The version of wrk; undefined: not installed. */
export function wrkVersion(): string | undefined {
  try {
    return /wrk (\S+)/.exec(execFileSync('sh', ['-c', 'wrk -v 2>&1 || true'], { encoding: 'utf8' }))?.[1];
  } catch {
    return undefined;
  }
}

/** The requests as `requests.lua` reads them. */
export function writeRequests(path: string, { contentType, bodies }: Requests): void {
  const parts = bodies.flatMap((body) => [
    Buffer.from(`${Buffer.byteLength(body)}\n`),
    Buffer.from(body),
    '\n',
  ]);
  writeFileSync(path, Buffer.concat([`${contentType}\n`, ...parts].map((part) => Buffer.from(part))));
}

export interface LoadOptions {
  readonly connections: number;
  readonly seconds: number;
  /** Number of callers that the requests belong to in turn. */
  readonly callers: number;
  /** Without it each connection sends its next request when the last one has its response. */
  readonly requestsPerSecond?: number;
}

export async function runWrk(
  url: string,
  requestsPath: string,
  { connections, seconds, callers, requestsPerSecond }: LoadOptions,
): Promise<LoadResult> {
  const script = fileURLToPath(new URL('requests.lua', import.meta.url));
  const argv = ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script, url];
  const env = {
    REQUESTS: requestsPath,
    API_KEY_HEADER: credentialHeaders.apiKey,
    API_KEY: credentials[credentialHeaders.apiKey],
    AUTHORIZATION: credentials.authorization,
    CALLERS: String(callers),
    ...(requestsPerSecond ? { RATE: String(requestsPerSecond) } : {}),
  };
  const { child, complaint } = startPinned({ argv, env }, 'load', 'pipe');
  const [output] = await Promise.all([text(child.stdout as NodeJS.ReadableStream), once(child, 'exit')]);
  const result = /^\{.*\}$/m.exec(output)?.[0];
  if (!result) throw new Error(`wrk printed no result: ${output}${complaint()}`);
  return JSON.parse(result) as LoadResult;
}
