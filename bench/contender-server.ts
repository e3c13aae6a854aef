/** A contender that was started and has responded. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Contender } from './contenders.ts';
import { credentials } from './load/wrk.ts';
import { freePort, type PinnedProcess, startPinned } from './processes.ts';
import { untilAnswered } from './upstream/upstream.ts';
import type { Requests } from './workloads/workload.ts';

export interface ContenderServer {
  readonly contender: Contender;
  readonly process: PinnedProcess;
  readonly url: string;
  /** Time from the start of the process to its first correct response. */
  readonly startMs: number;
  /** Ends the processes, and kills those that have not ended within `graceMs`. */
  stop(graceMs?: number): Promise<void>;
}

/** Starts a contender and waits for its first correct response. */
export async function startContender(
  contender: Contender,
  upstreamUrl: string,
  workload: string,
  requests: Requests,
): Promise<ContenderServer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'folio-bench-'));
  const command = contender.command({ upstreamUrl, port, workload, folder });
  const started = performance.now();
  const process = startPinned(command, 'server');
  const url = `http://127.0.0.1:${port}/graphql`;
  const stop = async (graceMs?: number) => {
    await process.stop(graceMs);
    rmSync(folder, { recursive: true });
  };
  try {
    await untilAnswered(() => askOne(url, requests, 0), process.complaint);
    return { contender, process, url, startMs: performance.now() - started, stop };
  } catch (error) {
    await stop();
    throw new Error(`${contender.name}: ${(error as Error).message}`);
  }
}

/** The `data` of the response to one request. Throws when there is none. */
export async function askOne(
  url: string,
  { contentType, bodies }: Requests,
  index: number,
): Promise<unknown> {
  const { data } = await answerTo(url, contentType, bodies[index % bodies.length] as string | Buffer);
  return data;
}

export async function answerTo(url: string, contentType: string, body: string | Buffer) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...credentials, 'content-type': contentType, 'x-graphql-yoga-csrf': '1' },
    body: body as BodyInit,
  });
  const text = await response.text();
  const answer = JSON.parse(text) as { readonly data?: unknown; readonly errors?: unknown };
  if (!response.ok || answer.errors || !answer.data)
    throw new Error(`${response.status} ${text.slice(0, 500)}`);
  return { data: answer.data, bytes: Buffer.byteLength(text) };
}
