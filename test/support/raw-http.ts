/** HTTP as bytes, so that a request can be incomplete, invalid or pipelined, and a response can be seen as it arrives. */
import { once } from 'node:events';
import { connect } from 'node:net';

export type Connection = Awaited<ReturnType<typeof openConnection>>;

/** Opens a connection and sends the bytes. `allowHalfOpen`: this side stays open when the gateway ends its own. */
export async function openConnection(url: string, bytes = '', allowHalfOpen = false) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen });
  let text = '';
  socket.on('error', () => {}).on('data', (chunk) => (text += chunk.toString('latin1')));
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await Promise.race([once(socket, 'connect'), closed]);
  socket.write(bytes, 'latin1');
  return {
    socket,
    /** The bytes received so far. */
    text: () => text,
    /** Resolves when the text matches. Rejects when the connection closes before. */
    async until(pattern: RegExp) {
      while (!pattern.test(text)) {
        if (socket.destroyed) throw new Error(`closed after: ${text}`);
        await Promise.race([once(socket, 'data'), closed]);
      }
    },
    /** The whole text, when the connection is closed. */
    closed: () => closed.then(() => text),
    close: () => socket.destroy(),
  };
}

/** The head of a request: its first line without the version, and its headers. */
export function headOf(line: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ host: 'a', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** A POST request with this body of ASCII characters. */
export function postOf(body: string, headers: Readonly<Record<string, string>> = {}): string {
  const own = { 'content-type': 'application/json', 'content-length': String(body.length) };
  return headOf('POST /graphql', { ...own, ...headers }) + body;
}

/** Headers of a WebSocket handshake. */
export const handshake = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-protocol': 'graphql-transport-ws',
};

/** A multipart request as text: its headers, its parts and its end. */
export const form = {
  headers: { 'x-graphql-yoga-csrf': '1', 'content-type': 'multipart/form-data; boundary=x' },
  part(name: string, value: string, ...headers: string[]): string {
    return `--x\r\n${[`content-disposition: form-data; name="${name}"`, ...headers].join('\r\n')}\r\n\r\n${value}\r\n`;
  },
  file(value: string, name = '0'): string {
    return form.part(`${name}"; filename="a.png`, value, 'content-type: image/png');
  },
  /** The parts in front of the file, which is the value of the variable `path`. */
  beforeFile(query: string, variables: object, path = 'variables.file'): string {
    return (
      form.part('operations', JSON.stringify({ query, variables })) + form.part('map', `{"0":["${path}"]}`)
    );
  },
  end: '--x--\r\n',
};

/** The GraphQL result in a response. */
export function resultIn(text: string): any {
  return JSON.parse(/\r\n\r\n(\{.*\})/s.exec(text)?.[1] as string);
}
