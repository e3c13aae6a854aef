/** The example's page, built and served as it would be: by a server that passes `/graphql` on to a gateway. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { installPackages, run } from '../../examples/web/install.ts';

/** With its types checked. Longer than a minute on a machine that has to fetch the packages first. */
export async function buildExample(): Promise<void> {
  await installPackages();
  await run(['run', 'build']);
}

export interface ExamplePage {
  readonly url: string;
  close(): Promise<void>;
}

export async function serveExample(gatewayOrigin: string): Promise<ExamplePage> {
  const child = spawn(
    process.execPath,
    ['node_modules/vite/bin/vite.js', 'preview', '--host', '127.0.0.1', '--port', '0'],
    {
      cwd: 'examples/web',
      env: { PATH: process.env['PATH'], NO_COLOR: '1', FOLIO_GATEWAY: gatewayOrigin },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  return {
    url: await addressOf(child),
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    createInterface(child.stdout as NodeJS.ReadableStream).on('line', (line) => {
      printed += `${line}\n`;
      const address = /Local:\s+(http\S+)/.exec(line)?.[1];
      if (address) resolve(address);
    });
    child.stderr?.on('data', (chunk) => (printed += chunk));
    child.on('exit', (code) => reject(new Error(`vite preview ended with ${code}:\n${printed}`)));
  });
}
