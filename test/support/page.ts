/** A module and its imports, bundled for a browser and served from another origin. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build, type Rolldown } from 'vite';

export interface ServedPage {
  readonly origin: string;
  close(): Promise<void>;
}

export async function servePage(entry: string): Promise<ServedPage> {
  const { output } = (await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, target: 'esnext', rolldownOptions: { input: entry } },
  })) as Rolldown.RolldownOutput;
  const script = output[0].code;
  const server = createServer(({ url }, response) => {
    const isScript = url === '/page.js';
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html; charset=utf-8' });
    response.end(isScript ? script : '<!doctype html><script type="module" src="/page.js"></script>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
