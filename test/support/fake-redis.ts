/** A server that speaks as much of Redis as a gateway's connections need, and whose replies a test decides. */
import { createServer, type Socket } from 'node:net';
import { listen } from './listen.ts';

/** A reply: bytes as they are sent, or a value. */
type Reply = Buffer | string | number | null | readonly Reply[];

interface FakeConnection {
  readonly socket: Socket;
  /** Names of the commands that were received on it. */
  readonly commands: string[];
}

/** It is a server, a sentinel that names itself, and the only node of a cluster. `reply`: undefined for the usual one. */
export async function startFakeRedis(
  reply: (name: string, parameters: readonly string[]) => Reply | undefined = () => undefined,
) {
  const connections: FakeConnection[] = [];
  const server = createServer((socket) => {
    const connection: FakeConnection = { socket, commands: [] };
    connections.push(connection);
    let received = '';
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
      for (let next = commandIn(received); next; next = commandIn(received)) {
        received = received.slice(next.end);
        const [name = '', ...parameters] = next.parts;
        connection.commands.push(name.toLowerCase());
        const decided = reply(name.toLowerCase(), parameters);
        const value = decided === undefined ? usual(name.toLowerCase(), parameters) : decided;
        socket.write(encoded(value));
      }
    });
  });
  const { port, close } = await listen(server);

  function usual(name: string, parameters: readonly string[]): Reply {
    const [subcommand = ''] = parameters;
    switch (name) {
      case 'info':
        return 'role:master\r\nmaxmemory_policy:noeviction\r\n';
      case 'ping':
        return 'PONG';
      case 'publish':
      case 'spublish':
      case 'dbsize':
        return 0;
      case 'subscribe':
      case 'ssubscribe':
        return Buffer.concat(parameters.map((channel, at) => encoded([name, channel, at + 1])));
      case 'sentinel':
        return subcommand === 'get-master-addr-by-name' ? ['127.0.0.1', String(port)] : [];
      case 'cluster':
        return subcommand.toLowerCase() === 'slots' ? [[0, 16_383, ['127.0.0.1', port]]] : 'cluster_state:ok';
      default:
        return 'OK';
    }
  }

  return {
    port,
    /** All that were ever made, the latest last. */
    connections,
    async close() {
      for (const { socket } of connections) socket.destroy();
      await close();
    },
  };
}

/** The first complete command in the bytes, and where it ends. */
function commandIn(received: string): { parts: string[]; end: number } | undefined {
  const head = /^\*(\d+)\r\n/.exec(received);
  if (!head) return undefined;
  const parts: string[] = [];
  let end = head[0].length;
  for (let part = 0; part < Number(head[1]); part += 1) {
    const length = /^\$(\d+)\r\n/.exec(received.slice(end, end + 20));
    if (!length) return undefined;
    const start = end + length[0].length;
    end = start + Number(length[1]) + 2;
    if (received.length < end) return undefined;
    parts.push(received.slice(start, end - 2));
  }
  return { parts, end };
}

function encoded(value: Reply): Buffer {
  if (Buffer.isBuffer(value)) return value;
  if (value === null) return Buffer.from('$-1\r\n');
  if (typeof value === 'number') return Buffer.from(`:${value}\r\n`);
  if (typeof value === 'string') return Buffer.from(`$${Buffer.byteLength(value)}\r\n${value}\r\n`);
  return Buffer.concat([Buffer.from(`*${value.length}\r\n`), ...value.map(encoded)]);
}
