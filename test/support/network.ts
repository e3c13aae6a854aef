/** A network between processes of this machine: proxies that drop what passes between some of them. */
import { connect, createServer, type Socket } from 'node:net';
import { type Listening, listen } from './listen.ts';

export type TestNetwork = ReturnType<typeof startNetwork>;

interface Connection {
  readonly to: string;
  /** Undefined until it is known who connects. */
  from: string | undefined;
  isHeld: boolean;
  hold(): void;
  release(): void;
  destroy(): void;
}

/** `addresses`: the names of the processes that connect from these addresses. Others are named by their user in AUTH. */
export function startNetwork(addresses: Readonly<Record<string, string>>) {
  const connections = new Set<Connection>();
  const ports: Listening[] = [];
  let rule = (_from: string, _to: string) => false;

  function update(connection: Connection): void {
    const { from, to, isHeld } = connection;
    if (from === undefined || rule(from, to) === isHeld) return;
    connection.isHeld = !isHeld;
    if (isHeld) connection.release();
    else connection.hold();
  }

  function accept(client: Socket, to: string, port: number): void {
    const upstream = connect(port, '127.0.0.1');
    const connection: Connection = {
      to,
      from: addresses[client.remoteAddress ?? ''],
      isHeld: true,
      hold() {
        client.unpipe(upstream).pause();
        upstream.unpipe(client).pause();
      },
      release() {
        client.pipe(upstream);
        upstream.pipe(client);
      },
      destroy() {
        client.destroy();
        upstream.destroy();
      },
    };
    connections.add(connection);
    for (const socket of [client, upstream]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        connections.delete(connection);
        connection.destroy();
      });
    }
    update(connection);
    if (connection.from !== undefined) return;
    client.once('data', (bytes) => {
      client.pause();
      client.unshift(bytes);
      connection.from = /AUTH\r\n\$\d+\r\n([\w-]+)\r\n/i.exec(bytes.toString('latin1'))?.[1] ?? 'others';
      update(connection);
    });
  }

  return {
    /** Opens a port of the network that leads to a process; the name is used in rules. */
    async open(to: string) {
      let target = 0;
      const listening = await listen(createServer((client) => accept(client, to, target)));
      ports.push(listening);
      return {
        port: listening.port,
        /** The real port of the process. */
        leadTo(port: number) {
          target = port;
        },
      };
    },
    /**
     * Nothing passes from now on between two processes for which the rule is true. Their connections stay open, and new
     * ones are accepted: neither side is notified, as when packets are dropped.
     */
    cut(isCut: typeof rule) {
      rule = isCut;
      for (const connection of connections) update(connection);
    },
    /** Everything passes again: delivers what was sent meanwhile, or resets the connections on which nothing passed. */
    heal(how: 'deliver' | 'reset') {
      rule = () => false;
      for (const connection of connections) {
        if (how === 'reset' && connection.isHeld && connection.from !== undefined) connection.destroy();
        else update(connection);
      }
    },
    async close() {
      for (const connection of connections) connection.destroy();
      for (const { close } of ports) await close();
    },
  };
}
