/** Starts a gateway with its sandbox in the process of a test. */
import '../src/tools/missing-globals.ts';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { type Config, readConfig } from '../src/config/config.ts';
import { startEmbeddedGateway, startGateway } from '../src/gateway.ts';
import { credentialHeaders } from '../src/sandbox/credentials.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../src/sandbox/server.ts';
import { createLog, type Log } from '../src/telemetry/log.ts';
import type { Fault, Folio, FolioOptions, FolioWithoutPort, SharedParts } from './types.ts';

export type * from './types.ts';

/** Short intervals, so that a test does not wait. Introspection and the list of calls of a result are for tests. */
const defaults = {
  PORT: '0',
  GRAPHIQL: 'false',
  INTROSPECTION: 'true',
  EXPOSE_CALLS: 'true',
  MALAYSIA_POLL_MIN_MS: '20',
  MALAYSIA_POLL_MAX_MS: '100',
  SHUTDOWN_GRACE_MS: '100',
};

/** Starts a gateway and its sandbox on free ports of the loopback interface. Throws when a setting is invalid. */
export async function startFolio(options: FolioOptions = {}): Promise<Folio> {
  return await start(options, {}, async (config, log) => {
    const gateway = await startGateway({ config, log });
    const connections = trackConnections(Number(new URL(gateway.url).port));
    return {
      url: gateway.url,
      wsUrl: gateway.url.replace(/^http/, 'ws'),
      connections,
      async close() {
        connections.stop();
        await gateway.close();
      },
    };
  });
}

/** Starts a gateway and its sandbox without a port or a socket. Throws when a setting is invalid. */
export async function startFolioWithoutPort(options: FolioOptions = {}): Promise<FolioWithoutPort> {
  return await start(options, { port: 'none' }, async (config, log, { connect }) => {
    const { fetch, close } = await startEmbeddedGateway({ config, log, connect });
    return {
      fetch: (input, init) =>
        fetch(new Request(input instanceof Request ? input : new URL(input, 'http://folio.test'), init)),
      close,
    };
  });
}

/** Starts the sandbox, then a gateway in front of it, and closes both in reverse. */
async function start<Gateway extends { close(): Promise<void> }>(
  { faults: initialFaults = [], clock: startAt, settings = {} }: FolioOptions,
  { port = 0 }: Pick<SandboxOptions, 'port'>,
  startGateway: (config: Config, log: Log, sandbox: Sandbox) => Promise<Gateway>,
): Promise<Gateway & SharedParts> {
  const start = startAt?.getTime();
  if (Number.isNaN(start)) throw new TypeError('"clock" must be a valid date.');
  const sandbox = await startSandbox({ port, ...(start !== undefined && { now: () => start }) });
  const { faults, clock, calls } = sandbox;
  try {
    for (const fault of initialFaults) faults.set({ ...fault });
    const config = readConfig({ ...defaults, UPSTREAM_URL: sandbox.url, ...settings });
    const log = createLog({ level: 'silent', production: false, destination: { write() {} } });
    const gateway = await startGateway(config, log, sandbox);
    return {
      ...gateway,
      credentials: { [credentialHeaders.apiKey]: 'demo', [credentialHeaders.authorization]: 'Bearer demo' },
      faults: {
        get active() {
          return faults.active as readonly Fault[];
        },
        set: (fault) => faults.set({ ...fault }),
        clear: (endpoint) => faults.set({ endpoint: endpoint ?? '*', fault: 'none' }),
      },
      clock: { now: clock.now, advance: clock.advance },
      calls: { list: () => [...calls.entries], clear: calls.clear },
      async close() {
        try {
          await gateway.close();
        } finally {
          await sandbox.close();
        }
      },
    };
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

/** The connections to a port of this process; Node publishes each one. */
function trackConnections(port: number) {
  const open = new Set<Socket>();
  const onSocket = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket };
    if (socket.localPort !== port) return;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  };
  subscribe('net.server.socket', onSocket);
  return {
    cut() {
      for (const socket of open) socket.resetAndDestroy();
    },
    stop: () => void unsubscribe('net.server.socket', onSocket),
  };
}
