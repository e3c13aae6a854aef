/** Starts a Redis server on a free port, if `redis-server` is installed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';
import { createFleetKeys } from '../../src/state/fleet-secrets.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { listen } from './listen.ts';

/** Whether tests with Redis can run. With `FOLIO_REQUIRE_REDIS`, a missing server is a failure. */
export function hasRedis(): boolean {
  if (spawnSync('redis-server', ['--version']).status === 0 || process.env['FOLIO_REQUIRE_REDIS'])
    return true;
  console.warn('Tests of several gateways are skipped: redis-server is not on the PATH.');
  return false;
}

export type TestRedis = Awaited<ReturnType<typeof prepareRedis>>;

export async function startRedis(...parameters: string[]): Promise<TestRedis> {
  const redis = await prepareRedis(...parameters);
  await redis.start();
  return redis;
}

/** For connections that a test makes itself. */
export const silentLog = createLog({ level: 'silent', production: true });

export const fleetSecret = 'a secret of this fleet, 32 bytes or more';
export const fleetKeys = createFleetKeys(fleetSecret);

/** The settings of gateways that share this Redis. */
export function fleetOf({ url }: Pick<TestRedis, 'url'>) {
  return { REDIS_URL: url, LANE_SECRET: fleetSecret };
}

/** A server that does not run yet. */
export async function prepareRedis(...parameters: string[]) {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'redis-'));
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    // One port, in the clear or behind TLS.
    const ports = parameters.includes('--tls-cert-file')
      ? ['--port', '0', '--tls-port', String(port)]
      : ['--port', String(port)];
    const basics = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
    child = spawn('redis-server', [...ports, ...basics, ...parameters]);
    await printed(child, 'Ready to accept');
  }

  async function stop(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill('SIGKILL');
    await exited;
  }

  const client = new Redis({ port, lazyConnect: true });
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    /** A connection of the test. It connects at its first command. */
    client,
    /** Sends SIGSTOP: the server accepts connections and does not reply. */
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    stop,
    start,
    /** Stops the server, ends the connection of the test and removes the folder. */
    async close() {
      client.disconnect();
      await stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Waits until a server has printed a line with this text. */
export async function printed(child: ChildProcess, text: string): Promise<void> {
  const lines = createInterface(child.stdout as NodeJS.ReadableStream);
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => line.includes(text) && resolve());
    child.once('exit', () => reject(new Error('redis-server ended')));
  });
}

/** Bytes that Redis has sent on all connections since it started. */
export async function bytesSent(client: Redis): Promise<number> {
  return Number(/total_net_output_bytes:(\d+)/.exec(await client.info('stats'))?.[1]);
}

/** How often Redis has run a command since it started, also in a script. */
export async function commandCalls(client: Redis, command: string): Promise<number> {
  const stats = await client.info('commandstats');
  return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
}

export type SlowRedis = Awaited<ReturnType<typeof startSlowRedis>>;

/** A proxy between a gateway and Redis that can hold responses or commands back. */
export async function startSlowRedis(redis: Pick<TestRedis, 'port'>) {
  const clients = new Set<Socket>();
  let held: (() => void)[] | undefined;
  let heldSide: 'responses' | 'commands' = 'responses';
  let onHeld: () => void = () => {};

  const server = createServer((client) => {
    const upstream = connect(redis.port, '127.0.0.1');
    clients.add(client);
    for (const socket of [client, upstream]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
        clients.delete(client);
      });
    }
    const pass = (from: Socket, to: Socket, side: typeof heldSide) =>
      from.on('data', (chunk) => {
        if (!held || heldSide !== side) return void to.write(chunk);
        held.push(() => to.write(chunk));
        onHeld();
      });
    pass(client, upstream, 'commands');
    pass(upstream, client, 'responses');
  });
  const { port, close } = await listen(server);
  const hold = (side: typeof heldSide) => () => {
    held = [];
    heldSide = side;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    /** Holds responses back from now on. */
    hold: hold('responses'),
    /** Holds commands back from now on. */
    holdCommands: hold('commands'),
    /** Sends bytes to all clients, as if Redis had sent them. */
    send(bytes: string) {
      for (const client of clients) client.write(bytes);
    },
    /** Resolves once a response or a command is held back. */
    waiting: () =>
      new Promise<void>((resolve) => {
        if (held && held.length > 0) return resolve();
        onHeld = resolve;
      }),
    /** Delivers what is held, and everything later immediately. */
    release() {
      for (const deliver of held ?? []) deliver();
      held = undefined;
    },
    async close() {
      for (const client of clients) client.destroy();
      await close();
    },
  };
}

/** Below the ports that systems give to connections and to listeners on port 0, and above those that fetch refuses. */
const [firstPort, lastPort] = [11_000, 32_767];
/** Each process begins elsewhere. */
let nextPort = randomInt(firstPort, lastPort);

/**
 * A free port for a program that cannot report the port it listens on. Connections take none of these ports, also not while a
 * program that is stopped does not listen.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = nextPort;
    nextPort = port === lastPort ? firstPort : port + 1;
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}
