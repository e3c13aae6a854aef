/** GraphiQL: every file comes from the gateway, and the content security policy allows no other origin. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { credentialHeaders } from '../caller.ts';
import type { Config } from '../config/config.ts';
import { acceptsGzip, prefersPage } from './accept.ts';
import { readExampleOperations } from './example-operations.ts';
import { pageFolder, sandboxPageFolder, socketClientFolder } from './graphiql-folders.ts';
import { sendJson } from './json-response.ts';
import type { TrackedResponse } from './open-responses.ts';

interface Asset {
  readonly contentType: string;
  /** Sent to all clients: a copy for each would take 9 MB. */
  readonly plain: Buffer;
  /** Undefined until a client requests it: all files together take 360 ms of CPU time. */
  gzipped?: Promise<Buffer>;
  readonly etag: string;
}

const folder = '/graphiql/';

/** `'unsafe-inline'` is needed for the editor's styles. Scripts come from the gateway's files only. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const contentTypes = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
  md: 'text/plain; charset=utf-8',
} as const;

export function createGraphiQL(config: Config) {
  const isSandbox = config.upstream.target.kind === 'sandbox';
  // The bundle has 9 MB: it is loaded when the page is first opened.
  let assets: Promise<ReadonlyMap<string, Asset>> | undefined;

  return {
    /** True when a browser opens the GraphQL path or requests one of the page's files. */
    handles: ({ method, headers }: IncomingMessage, path: string) =>
      path.startsWith(folder) ||
      (path === '/graphql' && (method === 'GET' || method === 'HEAD') && prefersPage(headers.accept)),

    async respond(request: IncomingMessage, response: TrackedResponse, path: string): Promise<void> {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.setHeader('allow', 'GET, HEAD');
        return sendJson(response, 405, { error: 'Use GET.' });
      }
      assets ??= loadAssets(isSandbox).catch((error: unknown) => {
        assets = undefined;
        throw error;
      });
      const name = path.startsWith(folder) ? path.slice(folder.length) : 'page.html';
      const asset = (await assets).get(name);
      if (!asset) return sendJson(response, 404, { error: 'This file does not exist.' });
      response.setHeader('content-security-policy', contentSecurityPolicy);
      response.setHeader('x-content-type-options', 'nosniff');
      response.setHeader('referrer-policy', 'no-referrer');
      response.setHeader('cache-control', 'no-cache');
      response.setHeader('vary', 'accept, accept-encoding');
      response.setHeader('etag', asset.etag);
      // One or several, each strong or weak (RFC 9110, section 13.1.2).
      if (request.headers['if-none-match']?.includes(asset.etag.slice('W/'.length))) {
        response.writeHead(304).end();
        return;
      }
      let body = asset.plain;
      if (acceptsGzip(request.headers['accept-encoding'])) {
        response.setHeader('content-encoding', 'gzip');
        asset.gzipped ??= promisify(gzip)(asset.plain);
        body = await asset.gzipped;
      }
      response.sharedBytes = body.length;
      response.writeHead(200, { 'content-type': asset.contentType });
      response.end(request.method === 'HEAD' ? undefined : body);
    },
  };
}

async function loadAssets(isSandbox: boolean): Promise<ReadonlyMap<string, Asset>> {
  const contents = new Map<string, string>();
  for (const name of await readdir(pageFolder)) {
    contents.set(name, await readFile(join(pageFolder, name), 'utf8'));
  }
  if (isSandbox) contents.set('sandbox.md', await readFile(join(sandboxPageFolder, 'sandbox.md'), 'utf8'));
  // The sandbox accepts these.
  const [apiKey, token] = isSandbox ? ['demo-key', 'demo-token'] : ['', ''];
  const credentials = {
    [credentialHeaders.apiKey]: apiKey,
    [credentialHeaders.authorization]: `Bearer ${token}`,
  };
  const headers = JSON.stringify(credentials, null, 2);
  const tabs = (await readExampleOperations()).map((tab) => ({ ...tab, headers }));
  contents.set('ready.json', JSON.stringify({ isSandbox, headers, tabs }));

  const bundle = await import('@graphql-yoga/render-graphiql/graphiql');
  contents.set('graphiql.js', bundle.js);
  contents.set('graphiql.css', bundle.css);
  contents.set('editorWorkerService.worker.js', bundle.editorWorkerService);
  contents.set('json.worker.js', bundle.jsonWorker);
  contents.set('graphql.worker.js', bundle.graphqlWorker);

  for (const file of await readdir(socketClientFolder)) {
    if (file !== 'client.js' && !/^common-\w+\.js$/.test(file)) continue;
    contents.set(`graphql-ws/${file}`, await readFile(join(socketClientFolder, file), 'utf8'));
  }
  return new Map([...contents].map(([name, content]) => [name, assetOf(name, content)]));
}

function assetOf(name: string, content: string): Asset {
  const ending = name.split('.').at(-1) as keyof typeof contentTypes;
  const plain = Buffer.from(content);
  return {
    contentType: contentTypes[ending],
    plain,
    // Weak: the compressed and the plain file have the same tag.
    etag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
  };
}
