#!/usr/bin/env node
/**
 * `npx folio why <requestId> [file]`: explains one request from log lines. They come from the file, or from standard input:
 *
 *     kubectl logs -l app.kubernetes.io/name=folio --tail=-1 --prefix=false | npx folio why 3f0c…
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { explain } from './why/explain.ts';
import { type LogLine, lineIn } from './why/log-line.ts';

const usage = `Usage: npx folio why <requestId> [file]

Explains what became of a request, from the log lines in the file or on standard input.
Exit status: 0, 1 when no line is about the request, 64 for other arguments, 66 when the file cannot be read.`;

const [command, requestId, file, ...others] = process.argv.slice(2);
if (command !== 'why' || !requestId || others.length > 0) {
  console.error(usage);
  process.exit(64);
}

const lines: LogLine[] = [];
const input = file === undefined ? process.stdin : createReadStream(file);
try {
  for await (const text of createInterface({ input })) {
    const line = lineIn(text);
    if (line) lines.push(line);
  }
} catch (error) {
  console.error(`The log lines cannot be read: ${(error as Error).message}`);
  process.exit(66);
}
const { text, isFound } = explain(lines, requestId);
console.log(text);
process.exitCode = isFound ? 0 : 1;
