/** The gateway in a separate process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve as absolute } from 'node:path';
import { createInterface } from 'node:readline';
import { askAt, entriesOf } from './gateway.ts';

export type GatewayProcess = Awaited<ReturnType<typeof startProcess>>;

/** Production with a heap of 128 MiB. */
export const smallHeap = { NODE_ENV: 'production', NODE_OPTIONS: '--max-old-space-size=128' };

const started = new Set<ChildProcess>();

/** Ends all processes that still run. */
export function killProcesses(): void {
  for (const child of started) child.kill('SIGKILL');
  started.clear();
}

/** The bundle of ./bundle.ts, where it was built. `FOLIO_ENTRY=src/main.ts` runs the tests with the code as it is. */
export const defaultEntry = process.env['FOLIO_ENTRY'] ?? 'src/main.ts';

export function runMain(environment: Record<string, string>, ...parameters: string[]): ChildProcess {
  return run([defaultEntry, ...parameters], environment);
}

function run(
  parameters: string[],
  environment: Record<string, string>,
  cwd = '.',
  node = process.execPath,
): ChildProcess {
  const { PATH, NODE_COMPILE_CACHE = '' } = process.env;
  // A bundle has compiled code of its own, which Node would not read.
  const isSource = parameters[0]?.endsWith('.ts');
  const env = { PATH, NODE_COMPILE_CACHE: isSource ? NODE_COMPILE_CACHE : '', ...environment };
  const child = spawn(node, parameters, { env, cwd });
  started.add(child);
  return child;
}

/** Resolves when the process has printed its address. On SIGTERM it ends soon, unless SHUTDOWN_GRACE_MS is set. */
export async function startProcess(
  environment: Record<string, string> = {},
  entry = defaultEntry,
  cwd = '.',
  node = process.execPath,
) {
  const child = run([absolute(entry)], { PORT: '0', SHUTDOWN_GRACE_MS: '600', ...environment }, cwd, node);
  const lines: string[] = [];
  const exited = once(child, 'close').then(([code]) => code as number | null);
  const url = await new Promise<string>((resolve, reject) => {
    const read = (line: string) => {
      lines.push(line);
      // In production the line is JSON.
      const address = /(?:^|"msg":")listening on (http[^\s"]+)/.exec(line)?.[1];
      if (address) resolve(address);
    };
    createInterface(child.stdout as NodeJS.ReadableStream).on('line', read);
    createInterface(child.stderr as NodeJS.ReadableStream).on('line', (line) => lines.push(line));
    exited.then((code) => reject(new Error(`exited with ${code}: ${lines.join('\n')}`)));
  });
  const { origin } = new URL(url);
  const metrics = /metrics at (http:\/\/[^/]+)/.exec(lines.join('\n'))?.[1];
  return {
    process: child,
    url,
    origin,
    /** Serves /metrics: another one if METRICS_PORT is set. */
    metrics: { origin: metrics ?? origin },
    lines,
    /** The exit code, when the process has ended and its last line has been read. */
    exited,
    ask: askAt({ url }),
    /** The status of /health. */
    health: async () => (await fetch(`${origin}/health`)).status,
    logged: (msg?: string) =>
      entriesOf(
        lines.filter((line) => line.startsWith('{')),
        msg,
      ),
    /** Sends SIGTERM. Resolves as `exited`. */
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
    /** Kills the process. */
    close: () => child.kill('SIGKILL'),
  };
}

export async function outputOf(child: ChildProcess): Promise<{ code: number; text: string }> {
  let text = '';
  child.stdout?.on('data', (chunk) => (text += chunk));
  child.stderr?.on('data', (chunk) => (text += chunk));
  const [code] = await once(child, 'close');
  return { code, text };
}
