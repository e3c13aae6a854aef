/** `npm run sandbox`: the sandbox in a separate process. Stops on SIGTERM and SIGINT. */
import { parseArgs } from 'node:util';
import { startSandbox } from './server.ts';

const defaultPort = '4010';

const usage = `Usage: npm run sandbox -- [--host 127.0.0.1] [--port ${defaultPort}] (--port 0: any free port)
SANDBOX_SPEED: factor by which imported e-invoices are processed faster; default 1`;

const inputs = 'docs/sandbox.md lists the inputs that fail or take a course of their own, and the controls.';

try {
  const { values } = parseArgs({
    options: {
      host: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string', default: defaultPort },
      help: { type: 'boolean' },
    },
  });
  if (values.help) console.log(`${usage}\n${inputs}`);
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
  console.log(`sandbox listening on ${sandbox.url}\n${inputs}`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void sandbox.close());
}

function portOf(text: string): number {
  if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new RangeError('--port must be a whole number from 0 to 65535.');
}
