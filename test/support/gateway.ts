/** A started gateway, and functions to use it as clients do. */
import { Writable } from 'node:stream';
import { type Client, type ClientOptions, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { credentialHeaders } from '../../src/caller.ts';
import { type Config, readConfig } from '../../src/config/config.ts';
import { startEmbeddedGateway, startGateway } from '../../src/gateway.ts';
import { createLog } from '../../src/telemetry/log.ts';

export type GraphQLResponse = Awaited<ReturnType<typeof readResponse>>;

export interface GraphQLResponseError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: Record<string, any>;
}

/** The GraphQL endpoint of a gateway. */
interface Endpoint {
  readonly url: string;
}

export type TestGateway = Awaited<ReturnType<typeof startTestGateway>>;

/** The header of an API key. */
export const withKey = (apiKey: string) => ({ [credentialHeaders.apiKey]: apiKey });

export const alice = { ...withKey('alice-key-4711'), authorization: 'Bearer alice-token-4711' };
export const bob = { ...withKey('bob-key-0815'), authorization: 'Bearer bob-token-0815' };

/** Documents are polled every 20 to 40 ms. */
export const quickPolls = { MALAYSIA_POLL_MIN_MS: '20', MALAYSIA_POLL_MAX_MS: '40' };

/** Values that no environment variable sets. */
export type ConfigOverrides = {
  readonly [Section in
    | 'upstream'
    | 'limits'
    | 'counts'
    | 'memory'
    | 'watch'
    | 'tracing'
    | 'persistedOperations']?: Partial<NonNullable<Config[Section]>>;
};

/** Starts a gateway with the embedded sandbox, or with the service at `UPSTREAM_URL`. */
export async function startTestGateway(
  environment: Record<string, string> = {},
  overrides: ConfigOverrides = {},
) {
  const { config, log, lines } = configured(environment, overrides);
  const gateway = await startGateway({ config, log });
  const clients: Client[] = [];

  return {
    url: gateway.url,
    origin: new URL(gateway.url).origin,
    serviceUrl: gateway.serviceUrl,
    /** Serves /metrics: another one if METRICS_PORT is set. */
    metrics: new URL(gateway.metricsUrl ?? gateway.url),
    /** The lines of the log so far. */
    log: () => lines,
    /** The entries of the log so far, or those with this message. */
    logged: (msg?: string) => entriesOf(lines, msg),
    ask: askAt(gateway),
    /** A graphql-ws client. Default: with valid credentials. */
    webSocketClient(connectionParams?: Record<string, unknown>) {
      const client = webSocketClientAt(gateway, { connectionParams });
      clients.push(client);
      return client;
    },
    async close() {
      for (const client of clients) await client.dispose();
      await gateway.close();
    },
  };
}

/** A graphql-ws client, which the caller disposes of. Default: with valid credentials, and no retries. */
export function webSocketClientAt({ url }: Endpoint, options: Partial<ClientOptions> = {}): Client {
  const { connectionParams = alice, ...more } = options;
  const address = url.replace('http', 'ws');
  return createClient({
    url: address,
    webSocketImpl: WebSocket,
    connectionParams,
    retryAttempts: 0,
    ...more,
  });
}

/** Subscribes to the status of a document. Each call of the returned function waits for the next state and its trouble. */
export function follow(client: Client, documentId: string): () => Promise<string> {
  const query = `subscription { malaysiaStatusChanged(documentId: "${documentId}") { state isDelayed problem { code } } }`;
  const events = client.iterate({ query });
  return async () => {
    const { value, done } = (await events.next()) as any;
    if (done) return 'done';
    if (value.errors) return value.errors[0].extensions.code;
    const { state, isDelayed, problem } = value.data.malaysiaStatusChanged;
    return [state, ...(isDelayed ? ['delayed'] : []), ...(problem ? [problem.code] : [])].join(' ');
  };
}

/** Starts a gateway without a port, as `createFolioHandler` does: requests and responses of the Fetch standard. */
export async function startTestHandler(environment: Record<string, string> = {}) {
  const { config, log, lines } = configured(environment);
  const gateway = await startEmbeddedGateway({ config, log });
  return {
    /** As the global `fetch`, with a path or any address. */
    fetch: (address: string, init?: RequestInit) =>
      gateway.fetch(new Request(new URL(address, 'http://folio.test'), init)),
    serviceUrl: gateway.serviceUrl,
    log: () => lines,
    logged: (msg?: string) => entriesOf(lines, msg),
    close: gateway.close,
  };
}

/** A busy machine needs longer for some reads than the 10 s that the gateway has for them by default. */
const defaults = { PORT: '0', SHUTDOWN_GRACE_MS: '600', UPSTREAM_READ_DEADLINE_MS: '60000' };

function configured(environment: Record<string, string>, overrides: ConfigOverrides = {}) {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const config = overridden(readConfig({ ...defaults, ...environment }), overrides);
  const level = environment['LOG_LEVEL'] ? config.logLevel : 'debug';
  const log = createLog({ level, production: config.production, destination });
  return { config, log, lines };
}

export function entriesOf(lines: readonly string[], msg?: string): any[] {
  const entries = lines.map((line) => JSON.parse(line));
  return msg === undefined ? entries : entries.filter((entry) => entry.msg === msg);
}

function overridden(config: Config, overrides: ConfigOverrides): Config {
  const sections = Object.entries(overrides) as [keyof ConfigOverrides, object][];
  return {
    ...config,
    ...Object.fromEntries(sections.map(([section, values]) => [section, { ...config[section], ...values }])),
  };
}

/** Sends a body of JSON by POST: an object, or a text as it is. Default: with valid credentials. */
export async function post(
  { url }: Endpoint,
  body: object | string,
  headers: Record<string, string> = alice,
  init: RequestInit = {},
): Promise<Response> {
  return await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
  });
}

/** Sends an operation by POST, and reads its result. Default: with valid credentials. */
export function askAt(gateway: Endpoint) {
  const accept = 'application/graphql-response+json';
  return async (query: string, variables?: object, headers: Record<string, string> = alice) =>
    await readResponse(await post(gateway, { query, variables }, { accept, ...headers }));
}

export async function readResponse(response: Response) {
  const { data, errors } = (await response.json()) as { data?: any; errors?: GraphQLResponseError[] };
  return { status: response.status, headers: response.headers, data, errors };
}

/** The status of `/ready`, and what it reports. */
export async function readinessOf({ origin }: Pick<TestGateway, 'origin'>) {
  const response = await fetch(`${origin}/ready`);
  const { status, degraded } = (await response.json()) as { status: string; degraded: string[] };
  return { httpStatus: response.status, status, degraded };
}

/** A multipart request with one file, by the GraphQL multipart request specification. */
export function upload(
  query: string,
  variables: Record<string, unknown>,
  path: string,
  file: { readonly bytes: Uint8Array | string; readonly name: string; readonly type?: string },
): FormData {
  const form = new FormData();
  form.set('operations', JSON.stringify({ query, variables }));
  form.set('map', JSON.stringify({ 0: [path] }));
  form.set('0', new Blob([file.bytes as BlobPart], { type: file.type ?? 'image/png' }), file.name);
  return form;
}

/** Sends a multipart request with the CSRF header. */
export async function sendUpload(
  gateway: Endpoint,
  form: FormData,
  headers: Record<string, string> = alice,
): Promise<GraphQLResponse> {
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: { 'x-graphql-yoga-csrf': '1', accept: 'application/graphql-response+json', ...headers },
    body: form,
  });
  return await readResponse(response);
}

/** The scan of a file, which is the variable `file`. */
export const scanOperation =
  'mutation ($file: Upload!) { scanIdentityCard(input: { file: $file, queueId: "1" }) { ... on ScanResult { documentId } } }';

/** The request for a Fapiao in an XML file, which is the variable `file`. */
export const fapiaoOperation =
  'mutation ($file: Upload!) { createFapiao(input: { document: { file: $file } }) { __typename } }';

/** Scans a card. */
export function scanCard(
  gateway: Endpoint,
  bytes: Uint8Array | string = 'a card',
  headers?: Record<string, string>,
): Promise<GraphQLResponse> {
  const card = { bytes, name: 'card.png' };
  return sendUpload(gateway, upload(scanOperation, { file: null }, 'variables.file', card), headers);
}
