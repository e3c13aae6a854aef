/** One renewal for all tabs of a login: a refresh token is often valid once. */

export interface Tabs {
  /** Fetches a token and gives it to the other tabs. If one of them is fetching it, resolves with its token. */
  renewOnce(fetchToken: () => Promise<string>): Promise<string>;
  /** Ends the session in the other tabs. */
  publishEnd(): void;
}

/** Longest wait for the token that another tab is fetching (ms). */
const longestWaitMs = 10_000;
/** Time in which a token reaches the other tabs (ms): no tab fetches another one meanwhile. */
const deliveryMs = 200;

type Message = { readonly token: string } | { readonly isOver: true };

/** Needs `BroadcastChannel` and Web Locks, which all browsers have since 2022, in secure contexts. */
export function shareBetweenTabs(name: string, onToken: (token: string) => void, onEnd: () => void): Tabs {
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<Message>) => ('token' in data ? onToken(data.token) : onEnd());

  function nextToken(): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const timer = setTimeout(() => reject(new Error('The other tab sent no token.')), longestWaitMs);
    const onMessage = ({ data }: MessageEvent<Message>) =>
      'token' in data ? resolve(data.token) : reject(new Error('The session is over.'));
    channel.addEventListener('message', onMessage as EventListener);
    return promise.finally(() => {
      clearTimeout(timer);
      channel.removeEventListener('message', onMessage as EventListener);
    });
  }

  /** Resolves when this tab holds the lock no more. */
  let released: Promise<void> = Promise.resolve();

  /** Fetches a token under the lock; undefined when another tab has the lock. */
  function fetchAlone(fetchToken: () => Promise<string>): Promise<string | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
    const held = navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock === null) return resolve(undefined);
      const token = await fetchToken();
      channel.postMessage({ token } satisfies Message);
      resolve(token);
      await new Promise((delivered) => setTimeout(delivered, deliveryMs));
    });
    released = held.catch(reject);
    return promise;
  }

  return {
    async renewOnce(fetchToken) {
      await released;
      // Before the lock is requested, so that no message is missed.
      const ofOtherTab = nextToken();
      ofOtherTab.catch(() => {});
      return (await fetchAlone(fetchToken)) ?? (await ofOtherTab);
    },
    publishEnd: () => channel.postMessage({ isOver: true } satisfies Message),
  };
}
