/** The command `folio`: its arguments, and where the log lines come from. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { explain } from './explain.ts';
import { type LogLine, lineIn } from './log-line.ts';

const usage = `Usage: npx folio why <requestId> [file]

Explains what became of a request, from the log lines in the file or on standard input.
Exit status: 0, 1 when no line is about the request, 64 for other arguments, 66 when the file cannot be read.`;

/** Prints the explanation. Returns the exit status. */
export async function runCommand(parameters: readonly string[], standardInput: NodeJS.ReadableStream) {
  const [command, requestId, file, ...others] = parameters;
  if (command !== 'why' || !requestId || others.length > 0) {
    console.error(usage);
    return 64;
  }
  const lines: LogLine[] = [];
  try {
    const input = file === undefined ? standardInput : createReadStream(file);
    for await (const text of createInterface({ input })) {
      const line = lineIn(text);
      if (line) lines.push(line);
    }
  } catch (error) {
    console.error(`The log lines cannot be read: ${(error as Error).message}`);
    return 66;
  }
  const { text, isFound } = explain(lines, requestId);
  console.log(text);
  return isFound ? 0 : 1;
}
