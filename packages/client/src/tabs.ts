/** One renewal for all tabs of a login: a refresh token is often valid once. */

export interface Tabs {
  /** Fetches a token and gives it to the other tabs. If one of them is fetching it, resolves with its token. */
  renewOnce(fetchToken: () => Promise<string>): Promise<string>;
  /** Ends the session in the other tabs. */
  publishEnd(): void;
}

/** Time in which a token, or the end of the session, reaches the other tabs (ms): no tab fetches another token meanwhile. */
const deliveryMs = 200;

type Message = { readonly token: string } | { readonly isOver: true };

/**
 * Undefined where there is no `BroadcastChannel` or, as in a page without TLS, no Web Locks: each tab renews for itself. So does
 * each session of a server, which has no address: Node has both, and its requests are of many users.
 */
export function shareBetweenTabs(
  name: string,
  onToken: (token: string) => void,
  onEnd: () => void,
): Tabs | undefined {
  if (!globalThis.location || !globalThis.BroadcastChannel || !globalThis.navigator?.locks) return undefined;
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<Message>) => ('token' in data ? onToken(data.token) : onEnd());

  return {
    async renewOnce(fetchToken) {
      const found = Promise.withResolvers<string>();
      const waiting = new AbortController();
      const onMessage = (({ data }: MessageEvent<Message>) => {
        if ('token' in data) found.resolve(data.token);
        else found.reject(new Error('The session is over.'));
        waiting.abort();
      }) as EventListener;
      channel.addEventListener('message', onMessage);
      // Another tab that fetches a token has the lock. If it is closed meanwhile, this one fetches the token.
      navigator.locks
        .request(name, { signal: waiting.signal }, async () => {
          try {
            const token = await fetchToken();
            channel.postMessage({ token } satisfies Message);
            found.resolve(token);
          } catch (error) {
            found.reject(error);
          }
          await new Promise((delivered) => setTimeout(delivered, deliveryMs));
        })
        .catch(found.reject);
      return await found.promise.finally(() => channel.removeEventListener('message', onMessage));
    },
    publishEnd: () => channel.postMessage({ isOver: true } satisfies Message),
  };
}
