/**
 * `npm run example`: gateway, sandbox and page with one command, at a port of your choice with `-- --port 5180`. Stops all
 * of them on Ctrl-C.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { installPackages } from './packages.ts';

const root = join(import.meta.dirname, '../..');
const { values } = parseArgs({ options: { port: { type: 'string' } } });
const started: ChildProcess[] = [];
let isStopping = false;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);

let sandbox: string | undefined;
await installPackages(() => console.log('Fetching the packages of the page …'));
const gateway = await start({
  program: join(root, 'src/main.ts'),
  folder: root,
  line: /^listening on (http\S+)\/graphql$/,
  environment: {
    PORT: '0',
    LOG_LEVEL: 'warn',
    // `report` instead of `true`, so that GraphiQL works too.
    PERSISTED_OPERATIONS: [
      join(import.meta.dirname, 'src/graphql/persisted-documents.json'),
      join(root, 'packages/client/src/gql/persisted-documents.json'),
    ].join(),
    PERSISTED_OPERATIONS_ONLY: 'report',
  },
  onEarlierLine(line) {
    sandbox ??= /^sandbox listening on (http\S+)/.exec(line)?.[1];
  },
  onLaterLine: console.log,
});
const page = await start({
  program: join(import.meta.dirname, 'node_modules/vite/bin/vite.js'),
  parameters: values.port === undefined ? [] : ['--port', values.port, '--strictPort'],
  folder: import.meta.dirname,
  line: /Local:\s+(http\S+)/,
  environment: { FOLIO_GATEWAY: gateway, ...(sandbox && { FOLIO_SANDBOX: sandbox }), NO_COLOR: '1' },
  onEarlierLine: () => {},
  onLaterLine: () => {},
});
console.log(`The example is at ${page} (Ctrl-C stops it)`);

interface Part {
  /** A Node program. */
  readonly program: string;
  readonly parameters?: readonly string[];
  readonly folder: string;
  /** Matches the line with its address, which it prints when it has started. */
  readonly line: RegExp;
  readonly environment: Readonly<Record<string, string>>;
  /** Called for each line before and after the one with the address. */
  onEarlierLine(line: string): void;
  onLaterLine(line: string): void;
}

/** Resolves with the part's address. */
function start(part: Part): Promise<string> {
  const { program, parameters = [], folder, line, environment, onEarlierLine, onLaterLine } = part;
  const child = spawn(process.execPath, [program, ...parameters], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  return new Promise((resolve) => {
    let isUp = false;
    createInterface(child.stdout).on('line', (text) => {
      const address = line.exec(text)?.[1];
      if (isUp) onLaterLine(text);
      else if (address) {
        isUp = true;
        resolve(address);
      } else onEarlierLine(text);
    });
    child.on('exit', (code) => {
      if (isStopping) return;
      console.error(`${program} ended with ${code}.`);
      process.exitCode = 1;
      stop();
    });
  });
}

function stop(): void {
  isStopping = true;
  for (const child of started) child.kill('SIGTERM');
}
