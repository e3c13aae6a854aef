/** A random history of an outbox: what its user, its browser, the network, the gateway and the service do, and what must hold. */
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { nextOf, type OutboxAction } from '../../packages/client/src/outbox/action.ts';
import type { OutboxPage, PageOptions, PlannedAction } from './outbox-page.ts';
import { type OutboxWorld, startOutboxWorld } from './outbox-world.ts';
import { Random } from './random.ts';

interface HistoryTab {
  readonly page: OutboxPage;
  /** Ends the page without a warning. */
  kill(): Promise<void>;
}

export interface HistoryBrowser {
  /** Whether its clock is so fast that a test can wait until a request has hung for too long. */
  readonly isFast: boolean;
  open(options: PageOptions): Promise<HistoryTab>;
  setOnline(isOnline: boolean): Promise<void>;
  /** All that its databases contain. */
  stored(): Promise<string>;
}

interface HistoryOptions {
  readonly seed: number;
  readonly browser: HistoryBrowser;
  /** Of the gateway. With REDIS_URL its idempotency keys survive, and it is restarted. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Of these only `reset` and `slow-200` do the write. */
const faults = ['reset', 'status-503', 'unavailable-0', 'retry-after-0', 'slow-200'];

/** Longest time until an outbox has sent everything (ms). */
const longestMs = 45_000;

/** Returns a sentence for each promise that did not hold. */
export async function playHistory({ seed, browser, environment }: HistoryOptions): Promise<string[]> {
  const random = new Random('outbox', seed);
  await using world = await startOutboxWorld(environment);
  const { relay, sandbox } = world;
  const isSequence = random.chance(0.5);
  const isShared = random.chance(0.5);
  const stored = new Set<string>();
  let tabs: HistoryTab[] = [];
  let tokens = 0;
  let count = 0;

  async function open(): Promise<void> {
    const [token, apiKey] = [`token-${seed}-${tokens}`, `key-of-${seed}`];
    tabs.push(await browser.open({ url: relay.url, apiKey, token, user: `user-${seed}`, isShared }));
  }

  async function kill(tab: HistoryTab): Promise<void> {
    await tab.kill();
    tabs = tabs.filter((other) => other !== tab);
    if (random.chance(0.5)) tokens += 1;
    if (tabs.length === 0) await open();
  }

  async function add(): Promise<void> {
    const title = `a${count++}-of-${seed}`;
    const kind = random.pick(['group', 'group', 'scan', 'scan', 'scan', 'corrupt'] as const);
    const action: PlannedAction = { kind, title, sequence: isSequence ? 'all' : undefined };
    const tab = random.pick(tabs);
    const adding = tab.page.add(action).then(() => stored.add(title));
    if (!random.chance(0.1)) return void (await adding);
    adding.catch(() => {});
    await pass();
    await kill(tab);
  }

  async function pass(): Promise<void> {
    for (let turns = random.below(60); turns > 0; turns -= 1) await turn();
  }

  async function setOnline(isOnline: boolean): Promise<void> {
    relay.setOffline(!isOnline);
    await browser.setOnline(isOnline);
  }

  const steps = [
    add,
    add,
    add,
    add,
    pass,
    pass,
    pass,
    () => setOnline(false),
    () => setOnline(true),
    () => kill(random.pick(tabs)),
    () => (tabs.length < 2 ? open() : pass()),
    () => sandbox.faults.set({ endpoint: '*', fault: 'status-401', times: random.pick([1, 1, 2]) }),
    () => relay.loseRequests(1 + random.below(2)),
    () => relay.loseResponses(1 + random.below(3)),
    () => browser.isFast && relay.hangResponses(1),
    () => environment['REDIS_URL'] !== undefined && world.restart(),
    () => sandbox.faults.set({ endpoint: '*', fault: random.pick(faults) }),
  ];

  await open();
  for (let left = 12 + random.below(20); left > 0; left -= 1) {
    await random.pick(steps)();
    if (random.chance(0.5)) await pass();
  }

  // The tunnel ends, and the user opens the application again.
  await world.calm();
  for (const tab of tabs) if (random.chance(0.5)) await tab.kill();
  await open();
  await setOnline(true);
  const { page } = tabs.at(-1) as HistoryTab;
  const seen = new Map<number, OutboxAction>();
  const uncertain = new Set<string>();
  const violations: string[] = [];
  for (;;) {
    const actions = await untilQuiet(page, world);
    for (const action of actions) seen.set(action.id, action);
    const held = actions.find(({ state }) => state === 'refused' || state === 'unknown');
    if (!held) break;
    const { id, title, state, errors } = held;
    if (state === 'refused' && errors.length > 0) violations.push(`${title} is ${JSON.stringify(errors)}`);
    if (state === 'unknown') uncertain.add(title);
    if (state === 'unknown' && !world.done().includes(title)) {
      await page.sendAgain(id);
    } else await page.remove(id);
  }

  const done = world.done();
  const listed = [...seen.values()].sort((one, other) => one.id - other.id);
  for (const title of stored)
    if (!listed.some((action) => action.title === title)) violations.push(`${title} is lost`);
  for (const { title, problems } of listed) {
    const times = done.filter((one) => one === title).length;
    const expected = problems.length > 0 ? 0 : 1;
    if (times !== expected) violations.push(`${title} was done ${times} times instead of ${expected}`);
  }
  const inOrder = listed.map(({ title }) => title).filter((title) => done.includes(title));
  const isOrdered = (title: string) => isSequence || !uncertain.has(title);
  const [wanted, found] = [inOrder.filter(isOrdered).join(), done.filter(isOrdered).join()];
  if (wanted !== found) violations.push(`the order was ${found} instead of ${wanted}`);
  if (/token-|key-of-/.test(await browser.stored())) violations.push('a credential is stored');
  return violations.map((violation) => `history ${seed}: ${violation}`);
}

/** Until the outbox sends nothing more by itself, and the service has got all that was sent. */
async function untilQuiet(page: OutboxPage, { relay }: OutboxWorld): Promise<readonly OutboxAction[]> {
  for (const until = performance.now() + longestMs; ; await wait(5)) {
    const actions = await page.actions();
    if (!nextOf(actions) && relay.inProgress === 0) return actions;
    if (performance.now() > until) throw new Error(`The outbox does not end: ${JSON.stringify(actions)}`);
  }
}
