/** A gateway inside a host's server: one function from a `Request` to its `Response`. */
import { version, versions } from 'node:process';
import type { EmbeddedGateway } from './gateway.ts';

/** Environment variables of the gateway, for example `process.env`. */
export type FolioSettings = Readonly<Record<string, string | undefined>>;

export interface FolioHandlerOptions {
  /** Receives each line of the log. Default: standard output. */
  readonly writeLog?: (line: string) => void;
}

export interface FolioHandler {
  /**
   * Responds to a GraphQL request, whatever its path: GET, POST, multipart requests, server-sent events and multipart
   * subscriptions. The first request starts the gateway. Rejects when it cannot be started, and with the reason of the
   * request's signal when that aborts.
   */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Starts the gateway before the first request. Rejects when it cannot be started; the next call tries again. */
  readonly start: () => Promise<void>;
  /**
   * Refuses new requests, finishes what is in progress within SHUTDOWN_GRACE_MS, and closes every part. Requests after it
   * are refused. Later calls resolve together with the first.
   */
  readonly close: () => Promise<void>;
}

/** Nothing is started, and no setting is read, before the first request or `start`. */
export function createFolioHandler(
  settings: FolioSettings,
  { writeLog }: FolioHandlerOptions = {},
): FolioHandler {
  let gateway: Promise<EmbeddedGateway> | undefined;
  let closed: Promise<void> | undefined;

  function started(): Promise<EmbeddedGateway> {
    if (closed && !gateway) throw new Error('The handler is closed.');
    gateway ??= startGateway().catch((error: unknown) => {
      gateway = undefined;
      throw error;
    });
    return gateway;
  }

  async function startGateway(): Promise<EmbeddedGateway> {
    requireNode();
    await import('./tools/missing-globals.ts');
    const { readConfig } = await import('./config/config.ts');
    const { configWarnings } = await import('./config/warnings.ts');
    const { startEmbeddedGateway } = await import('./gateway.ts');
    const { createLog } = await import('./telemetry/log.ts');
    // The host listens. Its port may be in the same variable, and METRICS_PORT must be another one.
    const config = readConfig({ ...settings, PORT: settings['PORT'] || '0' });
    const { logLevel: level, production, upstream } = config;
    const log = createLog({ level, production, ...(writeLog && { destination: { write: writeLog } }) });
    for (const warning of configWarnings(config, settings)) log.warn(warning);
    const started = await startEmbeddedGateway({ config, log });
    const { target } = upstream;
    if (target.kind === 'sandbox') log.info(`sandbox listening on ${started.serviceUrl} (${target.reason})`);
    return started;
  }

  async function closeGateway(): Promise<void> {
    // One that could not be started has closed its parts, and `started` has rejected with the reason.
    const toClose = await gateway?.catch(() => undefined);
    await toClose?.close();
  }

  return {
    fetch: async (request) => (await started()).fetch(request),
    async start() {
      await started();
    },
    async close() {
      closed ??= closeGateway();
      await closed;
    },
  };
}

/** Older versions lack exports of `node:zlib` that the gateway's packages import. */
function requireNode(): void {
  const [major = 0, minor = 0] = versions.node.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 19))
    throw new Error(`folio/handler runs on Node 22.19 or later, and this is ${version}.`);
}
