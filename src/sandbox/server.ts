/** The REST service emulated over real HTTP, stateful, written from docs/service.md alone. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CallEntry, createCallLog } from './calls.ts';
import { type Clock, createClock } from './clock.ts';
import { createControl } from './control.ts';
import { createGatekeeper } from './credentials.ts';
import type { Endpoint } from './endpoint.ts';
import { exportEndpoint } from './export.ts';
import { fapiaoEndpoint } from './fapiao.ts';
import { createFaults } from './faults.ts';
import { groupEndpoint } from './group.ts';
import { CallerGone, problem, Refusal, type Reply, send } from './http.ts';
import { malaysiaImportEndpoint, malaysiaStatusEndpoint } from './malaysia.ts';
import { mexicoEndpoint } from './mexico.ts';
import { scanEndpoint } from './scan.ts';
import { createDocuments } from './store.ts';

export interface SandboxOptions {
  /** Default 127.0.0.1: nobody else's business. */
  readonly host?: string;
  /** Default 0 (any free port). */
  readonly port?: number;
  /** How many times faster than usual an imported e-invoice is processed. Default 1. */
  readonly speed?: number;
  /** Whether the paths under `/sandbox` exist. Default true. */
  readonly controls?: boolean;
  /** Epoch milliseconds, for the sandbox clock to begin with. Default `Date.now`. */
  readonly now?: () => number;
}

export interface Sandbox {
  /** The base address, without a slash at its end. */
  readonly url: string;
  readonly clock: Clock;
  /** Stops listening and destroys every connection, answered or not. */
  close(): Promise<void>;
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = '127.0.0.1', port = 0, speed = 1, controls = true, now = Date.now } = options;
  if (!Number.isFinite(speed) || speed <= 0) throw new RangeError('speed must be a positive number.');
  const clock = createClock(now);
  const server = createServer(createHandler(clock, speed, controls));
  // An upload may take as long as it needs.
  server.requestTimeout = 0;
  await listening(server, host, port);
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    clock,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

function createHandler(clock: Clock, speed: number, controls: boolean): Handler {
  const documents = createDocuments();
  const malaysia = { documents, clock, speed };
  const endpoints: readonly Endpoint[] = [
    scanEndpoint(documents),
    groupEndpoint(clock),
    exportEndpoint(documents),
    mexicoEndpoint(),
    fapiaoEndpoint(),
    malaysiaImportEndpoint(malaysia),
    malaysiaStatusEndpoint(malaysia),
  ];
  const letIn = createGatekeeper();
  const faults = createFaults();
  const calls = createCallLog();
  const control = controls ? createControl({ clock, faults, calls }) : undefined;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?', 1)[0] ?? '/';
    const controlled = control?.answer(request, path);
    if (controlled !== undefined) return send(response, await settled(controlled));

    const entry = calls.open(request, path, clock.now());
    const answered = (reply: Reply) => {
      if (!response.destroyed) entry.status = reply.status;
      send(response, reply);
    };
    const endpoint = route(request, path, endpoints);
    if ('status' in endpoint) return answered(endpoint);

    entry.endpoint = endpoint.name;
    const work = () => settled(answer(endpoint, request, path, entry));
    const fault = faults.take(endpoint.name);
    if (fault === undefined) return answered(await work());

    entry.fault = fault.name;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    await fault.meet({
      ...{ request, response, gone: gone.signal, work, send: answered },
      begin(status, headers) {
        entry.status = status;
        response.writeHead(status, headers);
      },
    });
  }

  async function answer(endpoint: Endpoint, request: IncomingMessage, path: string, entry: CallEntry) {
    const tenant = letIn(request.headers, endpoint.demands);
    const parameter = decoded(endpoint.path.exec(path)?.[1] ?? '');
    return endpoint.answer({ request, tenant, parameter, note: (details) => Object.assign(entry, details) });
  }

  return (request, response) =>
    serve(request, response).catch((error: unknown) => {
      // Whoever left in the middle is answered nothing; the fault or the reading ended with the connection.
      if (response.destroyed || error instanceof CallerGone) return;
      if (response.headersSent) response.destroy(error as Error);
      else send(response, problem(500, 'The sandbox itself failed.'));
    });
}

/** What refuses is an answer as well. */
async function settled(reply: Promise<Reply>): Promise<Reply> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof Refusal) return error.reply;
    throw error;
  }
}

function route({ method }: IncomingMessage, path: string, endpoints: readonly Endpoint[]): Endpoint | Reply {
  const here = endpoints.filter((endpoint) => endpoint.path.test(path));
  const endpoint = here.find((candidate) => candidate.method === method);
  if (endpoint !== undefined) return endpoint;
  if (here.length === 0) return problem(404, 'There is no such path.');
  const allow = here.map((candidate) => candidate.method).join(', ');
  return problem(405, `Use ${allow}.`, { allow });
}

function decoded(parameter: string): string {
  try {
    return decodeURIComponent(parameter);
  } catch {
    throw new Refusal(400, 'The path is not valid percent-encoding.');
  }
}
