/** A module and its imports, bundled for a browser and served from another origin. */
import { createServer } from 'node:http';
import { build, type Rolldown } from 'vite';
import { listen } from './listen.ts';

export type ServedPage = Awaited<ReturnType<typeof servePage>>;

export async function servePage(entry: string) {
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
  const { url, close } = await listen(server);
  return { origin: url, close };
}
