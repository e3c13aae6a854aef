/** Runs nginx with ops/nginx.conf, if nginx is installed. */
import { spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { freePort } from './redis.ts';

/** The program; `FOLIO_NGINX` names another one than that on the PATH. */
const program = process.env['FOLIO_NGINX'] ?? 'nginx';

/** The version that `nginx -v` prints, e.g. [1, 27, 3]; undefined where nginx is not installed. */
function installedVersion(): readonly number[] | undefined {
  const { status, stderr } = spawnSync(program, ['-v'], { encoding: 'utf8' });
  const found = status === 0 ? /nginx\/(\d+)\.(\d+)\.(\d+)/.exec(stderr) : null;
  return found?.slice(1).map(Number);
}

/** Whether tests with nginx can run. With `FOLIO_REQUIRE_NGINX`, a missing nginx is a failure. */
export function hasNginx(): boolean {
  if (installedVersion() || process.env['FOLIO_REQUIRE_NGINX']) return true;
  console.warn('Tests of the balancer are skipped: nginx is not on the PATH.');
  return false;
}

/** Whether this nginx resolves the names of an upstream again and again: 1.27.3 or later. */
export function canResolve(): boolean {
  const [major = 0, minor = 0, patch = 0] = installedVersion() ?? [];
  return major > 1 || (major === 1 && (minor > 27 || (minor === 27 && patch >= 3)));
}

export type TestNginx = Awaited<ReturnType<typeof startNginx>>;

/**
 * Starts nginx in front of the gateways folio-1, folio-2 and folio-3. `addressOf` resolves a name; `port` is that of all
 * gateways. The file is the real one, with other names of folders and ports. An nginx that cannot resolve names again gets
 * the addresses and no `resolve`. Lines that contain one of `without` are left out. `directives` are added in front.
 */
export async function startNginx(
  addressOf: (name: string) => string,
  port: number,
  without: readonly string[] = [],
  directives = '',
) {
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
  // Its workers run as another user.
  chmodSync(folder, 0o777);
  const listenPort = await freePort();
  const dns = await startNameServer(addressOf);
  const replaced: [from: string | RegExp, to: string | ((text: string) => string)][] = [
    [/(?<=(_path|pid) )\/tmp/g, folder],
    ['listen 8080;', `listen 127.0.0.1:${listenPort};`],
    [/(?<=folio-\d):4000/g, `:${port}`],
  ];
  if (canResolve()) replaced.push(['resolver 127.0.0.11 ', `resolver 127.0.0.1:${dns.port} `]);
  else replaced.push([/folio-\d(?=:)/g, addressOf], [/(?<=server \S+) resolve;/g, ';']);
  let text = readFileSync('ops/nginx.conf', 'utf8');
  for (const [from, to] of replaced) {
    const next = text.replaceAll(from, to as string);
    if (next === text) throw new Error(`ops/nginx.conf has no ${from}`);
    text = next;
  }
  text = text
    .split('\n')
    .filter((line) => !without.some((part) => line.includes(part)))
    .join('\n');
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, text);
  const log = join(folder, 'errors.log');
  const child = spawn(program, ['-c', file, '-p', folder, '-e', log, '-g', `daemon off; ${directives}`], {
    stdio: ['ignore', 'ignore', openSync(log, 'a')],
  });
  const errors = () => readFileSync(log, 'utf8');
  const exited = once(child, 'exit');
  const failed = exited.then(() => Promise.reject(new Error(`nginx ended: ${errors()}`)));
  failed.catch(() => {});
  const url = `http://127.0.0.1:${listenPort}/graphql`;
  await Promise.race([failed, responds(url)]);
  return {
    /** Its GraphQL endpoint. */
    url,
    /** Files in which nginx has buffered a request or a response. */
    bufferedFiles: () =>
      ['client_body', 'proxy'].flatMap((name) =>
        readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => entry.name),
      ),
    errors,
    async close() {
      child.kill('SIGTERM');
      await exited;
      dns.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Waits until requests reach a gateway. */
const responds = (url: string) =>
  eventually(async () => {
    const { status } = await fetch(`${url}?query={__typename}`, { headers: { accept: 'application/json' } });
    if (status >= 500) throw new Error(`nginx responds with ${status}`);
  });

/** A name server for IPv4 addresses of one second (RFC 1035). */
async function startNameServer(
  addressOf: (name: string) => string,
): Promise<{ port: number; close(): void }> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const length = query[12] as number;
    const name = query.toString('latin1', 13, 13 + length);
    // The question: the name as one label, its end, type and class.
    const question = query.subarray(12, 12 + 1 + length + 5);
    const header = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]);
    const record = Buffer.from('c00c00010001000000010004', 'hex');
    const ip = Buffer.from(addressOf(name).split('.').map(Number));
    socket.send(Buffer.concat([header, question, record, ip]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { port: socket.address().port, close: () => void socket.close() };
}
