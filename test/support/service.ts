/** A service over real sockets whose behaviour a test chooses, and which records the requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './listen.ts';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The bytes of the body that were received. */
  readonly body: Buffer;
}

export interface Behaviour {
  (request: IncomingMessage, response: ServerResponse): void;
  /** It does not wait for the end of the request's body. */
  readonly isEarly?: boolean;
}

export type TestService = Awaited<ReturnType<typeof startService>>;

export async function startService(...behaviours: Behaviour[]) {
  const received: Received[] = [];
  let plan = behaviours;
  let onAborted: () => void = () => {};

  const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
    const behave = plan.length > 1 ? (plan.shift() as Behaviour) : (plan[0] ?? json(200, {}));
    const chunks: Buffer[] = [];
    const entry = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      get body() {
        return Buffer.concat(chunks);
      },
    };
    received.push(entry);
    request.on('error', () => {});
    response.on('close', () => {
      if (!response.writableFinished) onAborted();
    });
    if (behave.isEarly) return behave(request, response);
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    behave(request, response);
  });
  const { url, close } = await listen(server);
  return {
    url,
    close,
    /** Every request, in the order of arrival. */
    received,
    /** Sets the behaviour for requests from now on: one for each in order, the last one for all further ones. */
    will(...next: Behaviour[]) {
      plan = next;
    },
    /** The next request waits. Resolves when all of it has arrived, with the function that responds. */
    hold: (behaviour: Behaviour) =>
      new Promise<() => void>((resolve) => {
        plan = [(request, response) => resolve(() => behaviour(request, response))];
      }),
    /** Resolves when the gateway has aborted a request. */
    aborted: () =>
      new Promise<void>((resolve) => {
        onAborted = resolve;
      }),
    /** Destroys all connections, as a restart does. */
    cut: () => server.closeAllConnections(),
  };
}

/** The behaviour for any number of requests, which wait until `release` is called. */
export function late(behaviour: Behaviour) {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const behave: Behaviour = (request, response) => void promise.then(() => behaviour(request, response));
  return { behave, release };
}

/** Resolves as `held` does, a promise of `hold`. Rejects when `asked` ends before: no request will arrive. */
export function arrival<T>(held: Promise<T>, asked: Promise<unknown>): Promise<T> {
  const refused = asked.then((result) => {
    throw new Error(`No request has arrived: ${JSON.stringify(result)}`);
  });
  return Promise.race([held, refused]);
}

const beforeBody = (behaviour: Behaviour): Behaviour => Object.assign(behaviour, { isEarly: true });

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Behaviour {
  return text(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
}

export function text(status: number, body: string | Buffer, headers: Record<string, string> = {}): Behaviour {
  return (_request, response) => void response.writeHead(status, headers).end(body);
}

export const htmlPage = (status: number) =>
  text(status, '<html><body>Bad gateway at http://10.0.0.7:8080/internal</body></html>', {
    'content-type': 'text/html',
  });

/** Responds before the request's body has arrived. */
export function jsonEarly(status: number, body: unknown): Behaviour {
  return beforeBody(json(status, body));
}

/** Begins a response before the request's body has arrived, and does not end it. */
export const beginEarly = beforeBody((_request, response) => {
  response.writeHead(200, { 'content-length': '1000000' }).write(Buffer.alloc(200_000));
});

export const reset: Behaviour = ({ socket }) => socket.resetAndDestroy();

export const resetBeforeBody = beforeBody(({ socket }) => socket.resetAndDestroy());

export const endWithoutResponse: Behaviour = ({ socket }) => void socket.end();

export const resetAfterHeaders: Behaviour = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"a":', () => request.socket.resetAndDestroy());
};

export const truncate: Behaviour = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"a":', () => request.socket.end());
};

export const hang: Behaviour = () => {};

/** Sends one byte every 50 ms, without end. */
export const trickle: Behaviour = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 50);
  response.on('close', () => clearInterval(timer));
};

/** Sends bytes as fast as they are read, without end. */
export const endless: Behaviour = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const chunk = Buffer.alloc(64 * 1024, 0x20);
  const more = () => {
    while (!response.destroyed && response.write(chunk));
    response.once('drain', more);
  };
  more();
};

export const brokenGzip: Behaviour = text(200, Buffer.from('1f8b08000000deadbeef', 'hex'), {
  'content-type': 'application/json',
  'content-encoding': 'gzip',
});

/** Sends bytes that no HTTP library would write. */
export const raw =
  (bytes: string): Behaviour =>
  ({ socket }) =>
    void socket.end(bytes);
