/** What is behind the browser of an outbox: a network that loses messages, a gateway that restarts, and the service. */
import { startSandbox } from '../../src/sandbox/server.ts';
import { startTestGateway } from './gateway.ts';
import { startRelay } from './relay.ts';

export type OutboxWorld = Awaited<ReturnType<typeof startOutboxWorld>>;

export async function startOutboxWorld(environment: Readonly<Record<string, string>>) {
  const sandbox = await startSandbox();
  const settings = { LANE_SECRET: 'a secret of at least 32 bytes for tests', ...environment };
  const start = () => startTestGateway({ ...settings, UPSTREAM_URL: sandbox.url });
  let gateway = await start();
  const relay = await startRelay(gateway.url);
  let restarted = Promise.resolve();

  async function replace(): Promise<void> {
    await gateway.close();
    gateway = await start();
    relay.leadTo(gateway.url);
  }

  return {
    relay,
    sandbox,
    get gatewayUrl() {
      return gateway.url;
    },
    /** Begins to replace the gateway by a new one. */
    restart() {
      restarted = restarted.then(replace);
    },
    /** Ends all faults, and waits for a gateway. */
    async calm() {
      await restarted;
      sandbox.faults.set({ endpoint: '*', fault: 'none' });
      relay.loseRequests(0);
      relay.loseResponses(0);
      relay.hangResponses(0);
    },
    /** The titles of the writes that the service has done, in the order in which it received them. */
    done: () => sandbox.calls.entries.flatMap((entry) => titleOf(entry as unknown as Noted) ?? []),
    async [Symbol.asyncDispose]() {
      await relay.close();
      await gateway.close();
      await sandbox.close();
    },
  };
}

/** What the sandbox notes of a write that it runs: the body of a group, the file of a scan. */
interface Noted {
  readonly body?: string;
  readonly file?: { readonly name: string };
}

/** Undefined: the write was not done. */
function titleOf({ body, file }: Noted): string | undefined {
  if (body !== undefined) return JSON.parse(body).name;
  return file && !file.name.includes('corrupt') ? file.name.replace('.png', '') : undefined;
}
