/** `npm run sandbox`: the sandbox in a separate process. Stops on SIGTERM and SIGINT. */
import { parseArgs } from 'node:util';
import { startSandbox } from './server.ts';

const defaultPort = '4010';

const usage = `Usage: npm run sandbox -- [--host 127.0.0.1] [--port ${defaultPort}] (--port 0: any free port)
SANDBOX_SPEED: factor by which imported e-invoices are processed faster; default 1`;

const magicInputs = `magic inputs:
  API key     bad… 401, forbidden… 403, limited… 429 on every third call; any other is accepted
  bearer      expired… or bad… 401; any other is accepted
  scan        file name with blank: nothing found; with corrupt: 422; ending .exe: 415
  Mexico      1001 valid, 1002 cancelled, 1003 invalid then valid, 1004 schema, 1005 list 69-B, 1999 none
  Malaysia    document number ending -NOW, -SLOW, -REJ, -FAIL; a number used before is rejected;
              status of 2001 (validated) and 2002 (rejected) without an import
  controls    POST /sandbox/faults {endpoint, fault, times}, POST /sandbox/clock {advanceMs},
              POST /sandbox/assumptions {wrong}, POST /sandbox/course {queuedMs, submittedMs, spread},
              GET /sandbox/calls`;

try {
  const { values } = parseArgs({
    options: {
      host: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string', default: defaultPort },
      help: { type: 'boolean' },
    },
  });
  if (values.help) console.log(`${usage}\n${magicInputs}`);
  else await start(values.host, portOf(values.port));
} catch (error) {
  console.error(
    `The sandbox did not start: ${error instanceof Error ? error.message : String(error)}\n${usage}`,
  );
  process.exitCode = 1;
}

async function start(host: string, port: number): Promise<void> {
  const speed = Number(process.env['SANDBOX_SPEED'] || 1);
  if (!(speed > 0 && speed < Number.POSITIVE_INFINITY))
    throw new RangeError('SANDBOX_SPEED must be a positive number.');
  const sandbox = await startSandbox({ host, port, speed });
  console.log(`sandbox listening on ${sandbox.url}\n${magicInputs}`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void sandbox.close());
}

function portOf(text: string): number {
  if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new RangeError('--port must be a whole number from 0 to 65535.');
}
