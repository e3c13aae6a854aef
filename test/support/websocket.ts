/** A WebSocket whose messages queue up, so that none is missed. */
import { WebSocket } from 'ws';
import { alice, type TestGateway } from './gateway.ts';

export interface Message {
  readonly type: string;
  readonly id?: string;
  readonly payload?: any;
}

export type TestSocket = Awaited<ReturnType<typeof openSocket>>;

export async function openSocket(
  gateway: Pick<TestGateway, 'url'>,
  {
    headers = {},
    protocol = 'graphql-transport-ws',
  }: { headers?: Record<string, string>; protocol?: string } = {},
) {
  const raw = new WebSocket(gateway.url.replace('http', 'ws'), protocol, { headers });
  const queue: Message[] = [];
  const waiting = new Set<() => void>();
  raw.on('message', (data) => {
    queue.push(JSON.parse(String(data)) as Message);
    for (const look of waiting) look();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    raw.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  raw.on('error', () => {});
  await new Promise((resolve, reject) => raw.once('open', resolve).once('error', reject));

  const take = (matches: (message: Message) => boolean): Promise<Message> =>
    new Promise((resolve, reject) => {
      const look = () => {
        const index = queue.findIndex(matches);
        if (index < 0) return;
        waiting.delete(look);
        resolve(queue.splice(index, 1)[0] as Message);
      };
      waiting.add(look);
      look();
      closed.then(({ code, reason }) => reject(new Error(`closed with ${code} ${reason}`)));
    });

  const send = (message: object | string) =>
    raw.send(typeof message === 'string' ? message : JSON.stringify(message));

  return {
    raw,
    send,
    subscribe: (id: string, query: string, variables?: object) =>
      send({ type: 'subscribe', id, payload: { query, variables } }),
    /** The next message that no one has taken yet. */
    message: () => take(() => true),
    /** The next message of an operation; those of others stay. */
    messageOf: (id: string) => take((message) => message.id === id),
    closed: () => closed,
    close: () => raw.close(),
  };
}

/** A WebSocket whose `connection_init` was accepted. Default: with valid credentials. */
export async function connectedSocket(
  gateway: Pick<TestGateway, 'url'>,
  payload: object = alice,
): Promise<TestSocket> {
  const socket = await openSocket(gateway);
  socket.send({ type: 'connection_init', payload });
  await socket.message();
  return socket;
}
