/** A stateful emulation of the REST service over HTTP, written from docs/service.md alone. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createAssumptions } from './assumptions.ts';
import { type CallEntry, createCallLog } from './call-log.ts';
import { createClock } from './clock.ts';
import { type Controlled, createControl } from './control.ts';
import { createCourse } from './course.ts';
import { createAuthenticator } from './credentials.ts';
import { createDocuments } from './documents.ts';
import { createFaults } from './fault-queue.ts';
import { HttpError, problem, type Reply, send } from './http.ts';
import { connectTo } from './in-process-connection.ts';
import { createEndpoints, type NamedEndpoint } from './named-endpoints.ts';

export interface SandboxOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0 (any free port). `none`: only `connect` reaches it. */
  readonly port?: number | 'none';
  /** Factor by which imported e-invoices are processed faster. Default 1. */
  readonly speed?: number;
  /** Whether the paths under `/sandbox` exist. Default true. */
  readonly controls?: boolean;
  /** Source of the sandbox clock, epoch milliseconds. Default `Date.now`. */
  readonly now?: () => number;
}

export interface Sandbox extends Controlled {
  /** Base address, without a trailing slash. With `port: 'none'` a name that does not resolve. */
  readonly url: string;
  /** Opens a connection in the same process, without a socket. */
  connect(): Duplex;
  /** Stops listening and destroys every connection, including those with calls in progress. */
  close(): Promise<void>;
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = '127.0.0.1', port = 0, speed = 1, controls = true, now = Date.now } = options;
  if (!Number.isFinite(speed) || speed <= 0) throw new RangeError('speed must be a positive number.');
  const controlled = {
    clock: createClock(now),
    faults: createFaults(),
    calls: createCallLog(),
    assumptions: createAssumptions(),
    course: createCourse(),
  };
  const server = createServer(createHandler(controlled, speed, controls));
  // Uploads have no time limit.
  server.requestTimeout = 0;
  if (port !== 'none') {
    server.listen(port, host);
    await once(server, 'listening');
  }
  const address = server.address() as AddressInfo | null;
  return {
    url: address ? `http://${host}:${address.port}` : 'http://sandbox.invalid',
    connect: () => connectTo(server),
    ...controlled,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function createHandler(controlled: Controlled, speed: number, controls: boolean) {
  const { clock, faults, calls, assumptions, course } = controlled;
  const endpoints = createEndpoints({ documents: createDocuments(), clock, course, speed });
  const authenticate = createAuthenticator();
  const control = controls ? createControl(controlled) : undefined;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?', 1)[0] ?? '/';
    const controlled = control?.handle(request, path);
    if (controlled !== undefined) return send(response, await replyOf(controlled));

    const entry = calls.open(request, path, clock.now());
    const respond = (reply: Reply) => {
      if (!response.destroyed) entry.status = reply.status;
      send(response, reply);
    };
    const endpoint = route(request, path, endpoints);
    if ('status' in endpoint) return respond(endpoint);

    entry.endpoint = endpoint.name;
    const handle = async () => assumptions.apply(entry, await replyOf(call(endpoint, request, path, entry)));
    const fault = faults.take(endpoint.name);
    if (fault === undefined) return respond(await handle());

    entry.fault = fault.name;
    const closed = new AbortController();
    response.once('close', () => closed.abort());
    await fault.apply({ request, response, closed: closed.signal, handle, send: respond });
  }

  async function call(endpoint: NamedEndpoint, request: IncomingMessage, path: string, entry: CallEntry) {
    const tenant = authenticate(request.headers, endpoint.requiredCredentials);
    const parameter = decoded(endpoint.path.exec(path)?.[1] ?? '');
    return endpoint.handle({ request, tenant, parameter, note: (details) => calls.note(entry, details) });
  }

  return (request: IncomingMessage, response: ServerResponse) =>
    serve(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy(error as Error);
      else send(response, problem(500, 'The sandbox failed.'));
    });
}

/** Turns an HttpError into its response. */
async function replyOf(reply: Promise<Reply>): Promise<Reply> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof HttpError) return error.reply;
    throw error;
  }
}

function route(
  { method }: IncomingMessage,
  path: string,
  endpoints: readonly NamedEndpoint[],
): NamedEndpoint | Reply {
  const here = endpoints.filter((endpoint) => endpoint.path.test(path));
  const endpoint = here.find((candidate) => candidate.method === method);
  if (endpoint !== undefined) return endpoint;
  if (here.length === 0) return problem(404, 'The path does not exist.');
  const allow = here.map((candidate) => candidate.method).join(', ');
  return problem(405, `Method not allowed. Use ${allow}.`, { allow });
}

function decoded(parameter: string): string {
  try {
    return decodeURIComponent(parameter);
  } catch {
    throw new HttpError(400, 'The path is not valid percent-encoding.');
  }
}
