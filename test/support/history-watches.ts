/** Subscribers whose events a history records: the service's state of a document is a number that only grows. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'graphql-ws';
import { webSocketClientAt } from './gateway.ts';
import type { Seen } from './history.ts';
import type { Random } from './random.ts';
import * as does from './service.ts';

const socketsPerGateway = 4;
const documents = Array.from({ length: 6 }, (_, index) => `watched-${index}`);

export const statusPath = '/v2/einvoice/malaysia/status/';

/** Short intervals, so that the gateways of a document take turns and publish often. */
export const pollSettings = { MALAYSIA_POLL_MIN_MS: '200', MALAYSIA_POLL_MAX_MS: '400' };

/** Returns the state at a time between the arrival of a call and its response. */
export async function respondWithStatus(
  random: Random,
  ...[request, response]: Parameters<does.Behaviour>
): Promise<void> {
  await sleep(random.below(60));
  const state = Math.floor(performance.now() / 100);
  await sleep(random.below(60));
  does.json(200, { status: 'queued', message: String(state) })(request, response);
}

/** Watches every document over several sockets of each gateway, also of those that replace killed ones. */
export function startWatching(
  gateways: readonly { readonly url: string }[],
  seen: Seen[],
): () => Promise<void> {
  const clients = gateways.flatMap((_, gateway) =>
    Array.from({ length: socketsPerGateway }, (_, index) => {
      const url = () => (gateways[gateway]?.url ?? '').replace('http', 'ws');
      const client = webSocketClientAt(
        { url: '' },
        {
          url,
          retryAttempts: Number.POSITIVE_INFINITY,
          retryWait: () => sleep(200),
          shouldRetry: () => true,
        },
      );
      for (const document of documents) void watch(client, `${gateway}-${index}`, document, seen);
      return client;
    }),
  );
  return async () => {
    for (const client of clients) await client.dispose();
  };
}

async function watch(client: Client, socket: string, documentId: string, seen: Seen[]): Promise<void> {
  let connections = 0;
  client.on('connected', () => {
    connections += 1;
  });
  const query = `subscription { malaysiaStatusChanged(documentId: "${documentId}") { message } }`;
  try {
    for await (const { data } of client.iterate({ query }) as AsyncIterable<any>) {
      const { message } = data?.malaysiaStatusChanged ?? {};
      if (message) seen.push({ watch: `${documentId} at ${socket}-${connections}`, state: Number(message) });
    }
  } catch {
    // The client was disposed.
  }
}
