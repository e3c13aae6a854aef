/** A gateway inside a host's server: one function from a `Request` to its `Response`. */
import './tools/missing-globals.ts';
import { type Config, readConfig } from './config/config.ts';
import { configWarnings } from './config/warnings.ts';
import { type EmbeddedGateway, startEmbeddedGateway } from './gateway.ts';
import { createLog } from './telemetry/log.ts';

/** Environment variables of the gateway, for example `process.env`. */
export type FolioSettings = Readonly<Record<string, string | undefined>>;

export interface FolioHandlerOptions {
  /** Receives each line of the log. Default: standard output. */
  readonly writeLog?: (line: string) => void;
}

export interface FolioHandler {
  /**
   * Responds to a GraphQL request, whatever its path: GET, POST, multipart requests, server-sent events and multipart
   * subscriptions. The first request starts the gateway. Rejects when it cannot be started, and with an AbortError when the
   * signal of the request aborts.
   */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Starts the gateway before the first request. Rejects when it cannot be started; the next call tries again. */
  readonly start: () => Promise<void>;
  /**
   * Refuses new requests, finishes what is in progress within SHUTDOWN_GRACE_MS, and closes every part. Requests after it
   * are refused.
   */
  readonly close: () => Promise<void>;
}

/** Nothing is started, and no setting is read, before the first request or `start`. */
export function createFolioHandler(
  settings: FolioSettings,
  { writeLog }: FolioHandlerOptions = {},
): FolioHandler {
  let gateway: Promise<EmbeddedGateway> | undefined;
  let isClosed = false;

  function started(): Promise<EmbeddedGateway> {
    if (isClosed && !gateway) throw new Error('The handler is closed.');
    gateway ??= startWith(readConfig(settings)).catch((error: unknown) => {
      gateway = undefined;
      throw error;
    });
    return gateway;
  }

  async function startWith(config: Config): Promise<EmbeddedGateway> {
    const { logLevel: level, production } = config;
    const log = createLog({ level, production, ...(writeLog && { destination: { write: writeLog } }) });
    for (const warning of configWarnings(config, settings)) log.warn(warning);
    return await startEmbeddedGateway({ config, log });
  }

  return {
    fetch: async (request) => (await started()).fetch(request),
    async start() {
      await started();
    },
    async close() {
      isClosed = true;
      await (await gateway)?.close();
    },
  };
}
