/** Sends the actions of an outbox, one at a time and in their order, from one of all tabs. */
import { createRequest, createSend, type Request } from '../request.ts';
import { isUnauthenticated, retryAfterMsOf } from '../retry-rule.ts';
import type { Credentials, Session } from '../session.ts';
import { settle } from '../settle.ts';
import { reconnectMs } from '../wait-to-repeat.ts';
import { nextOf, type OutboxAction, type Outcome, outcomeOf } from './action.ts';
import type { ActionStore } from './store.ts';

export interface SenderOptions {
  readonly url: string;
  readonly session: Session;
  readonly persisted: NonNullable<Parameters<typeof createRequest>[2]>['persisted'];
  readonly store: ActionStore;
  /** Name of the lock that all tabs of the outbox share. */
  readonly lockName: string;
  readonly keyLifetimeMs: number;
  /** Called before each action, with all actions as they were read. */
  onRead(actions: readonly OutboxAction[]): void;
  onChange(actions: readonly OutboxAction[]): void;
}

export interface Sender {
  /** Sends waiting actions now, also during a delay. */
  wake(): void;
  /** Whether it will send the waiting actions without a call of `wake`: it is sending, or waits for its turn or a delay. */
  isAwake(): boolean;
  /** Ends the attempt in progress, as a lost connection does. */
  interrupt(): void;
  /** Ends the attempt in progress when its action is not among these: another tab has removed it. */
  interruptUnlessIn(actions: readonly OutboxAction[]): void;
  /** Sends nothing after the current action. */
  close(): void;
}

/** Longest time for an action and its response (ms): 2 minutes, and 1 second for each 64 KiB. Later the gateway is asked for its outcome. */
const attemptMs = (bytes: number) => 120_000 + Math.ceil(bytes / 65_536) * 1_000;
/** Longest time for a question to the gateway (ms). */
const questionMs = 30_000;
/**
 * Most attempts of which the gateway receives nothing although it can be asked, for example because a proxy refuses the file,
 * or receives the file too slowly.
 */
const mostLostAttempts = 20;
/** Most that the clock of the device is set back without a doubt about the age of a key or of a refusal (ms). */
const clockToleranceMs = 60_000;
/** Most done actions that stay listed. */
const mostDone = 100;

/** The delay of an action that waits for a new token. */
const untilRenewal = Number.POSITIVE_INFINITY;

const tooManyLost = {
  message: `Nothing arrived of ${mostLostAttempts} attempts.`,
  extensions: { code: 'CONNECTION_LOST', retryable: false, sideEffect: 'NONE' },
};

export function createSender(options: SenderOptions): Sender {
  const { url, session, persisted = false, store, lockName, keyLifetimeMs, onRead, onChange } = options;
  let state: 'idle' | 'sending' | 'sending and woken' | 'closed' = 'idle';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let isSignedOut = false;
  /** Whether the session has got a token since the last attempt began. */
  let isRenewed = false;
  let attempt = new AbortController();
  /** The key of the action that is being sent. */
  let sending: string | undefined;
  /** The credentials of the last attempt: the gateway reports its outcome only to them. */
  let sentWith: { readonly key: string; readonly credentials: Credentials } | undefined;

  session.onRenewal(() => {
    isRenewed = true;
    isSignedOut = false;
    wake();
  });

  function wake(): void {
    if (state === 'sending') state = 'sending and woken';
    if (state !== 'idle' || isSignedOut || !isOnline()) return;
    state = 'sending';
    clearTimeout(timer);
    timer = undefined;
    void navigator.locks
      .request(lockName, sendAll)
      .catch(() => backOffMs())
      .then((delayMs) => {
        const isWoken = state === 'sending and woken';
        if (state !== 'closed') state = 'idle';
        if (delayMs === untilRenewal && !isRenewed) isSignedOut = true;
        else if (isWoken) wake();
        else if (delayMs > 0) timer = setTimeout(wake, delayMs);
      });
  }

  /** Resolves with the delay before it must be called again; 0: when there is another action. */
  async function sendAll(): Promise<number> {
    while (state !== 'closed' && isOnline()) {
      const actions = await store.list();
      onRead(actions);
      const action = nextOf(actions);
      if (!action) break;
      const { idempotencyKey: key } = action;
      const restMs = restOfRefusalMs(action);
      if (restMs > 0) return restMs;
      attempt = new AbortController();
      sending = key;
      const delayMs = await (action.state === 'sent' ? recover(action) : send(action));
      if (delayMs > 0) return delayMs;
    }
    return 0;
  }

  /** A connection can be lost without a notice: then its request ends after this time. */
  function endAfter(ms: number): AbortSignal {
    return AbortSignal.any([attempt.signal, AbortSignal.timeout(ms)]);
  }

  async function send(action: OutboxAction): Promise<number> {
    const { idempotencyKey: key, bytes } = action;
    const input = await store.input(key);
    const isTaken = await change(key, 'waiting', { state: 'sent', sentAt: Date.now() });
    if (!input || !isTaken) return 0;
    const credentials = () => {
      if (state === 'closed') throw new Error('The outbox is closed.');
      isRenewed = false;
      sentWith = { key, credentials: session.credentials() };
      return sentWith.credentials;
    };
    // Without its document an operation is not sent again when its response is lost.
    const operation = { kind: 'mutation', body: input.body };
    const sendOperation = createSend(url, { ...session, credentials });
    const limits = { signal: endAfter(attemptMs(bytes)) };
    const response = await sendOperation(operation, input.variables, limits).catch(() => undefined);
    const outcome = response && outcomeOf(response);
    if (outcome?.state === 'waiting' && outcome.errors?.some(isTooSlow))
      return await lost(action, outcome.errors);
    return outcome ? await settled(key, outcome) : 0;
  }

  /** Asks the gateway what became of an action that was sent by this page, or by one that was closed. */
  async function recover(action: OutboxAction): Promise<number> {
    const { idempotencyKey: key, sentAt = 0 } = action;
    const found = await settle(requestFor(key), key);
    if (found.state === 'COMPLETED')
      return await settled(
        key,
        outcomeOf({ data: { found: found.result }, errors: [] }) ?? { state: 'done' },
      );
    if (found.state === 'OUTCOME_UNKNOWN') return await settled(key, { state: 'unknown' });
    if (found.state !== 'NOT_DONE') return backOffMs();
    // The gateway may have forgotten the key; where the clock was set back, it is not known when it was sent.
    const ageMs = Date.now() - sentAt;
    if (ageMs > keyLifetimeMs || ageMs < -clockToleranceMs) return await settled(key, { state: 'unknown' });
    return await lost(action);
  }

  /** Lets an action wait whose file did not arrive, or refuses it after too many attempts. `errors`: of the gateway. */
  async function lost(action: OutboxAction, errors: OutboxAction['errors'] = []): Promise<number> {
    const lostAttempts = action.lostAttempts + 1;
    if (lostAttempts >= mostLostAttempts) {
      const reasons = errors.length > 0 ? errors : [tooManyLost];
      return await settled(action.idempotencyKey, { state: 'refused', errors: reasons });
    }
    await change(action.idempotencyKey, 'sent', {
      state: 'waiting',
      sentAt: undefined,
      lostAttempts,
      errors,
    });
    return backOffMs();
  }

  /** Asks with the credentials that the action was sent with, which may have been renewed since. */
  function requestFor(key: string): Request {
    const { credentials } = sentWith?.key === key ? sentWith : {};
    const asSent = credentials && {
      credentials: () => credentials,
      renewAfter: async () => false,
      signOut() {},
    };
    const request = createRequest(url, { ...session, ...asSent }, { persisted });
    return (document, variables) => request(document, variables, { signal: endAfter(questionMs) });
  }

  async function settled(key: string, outcome: Outcome): Promise<number> {
    const { state, errors = [] } = outcome;
    const isWaiting = state === 'waiting';
    const requiredMs = requiredMsOf(errors);
    const refusedUntil = requiredMs > 0 ? Date.now() + requiredMs : undefined;
    await change(key, 'sent', isWaiting ? { ...outcome, sentAt: undefined, refusedUntil } : outcome);
    if (errors.some(isUnauthenticated) && isWaiting) return untilRenewal;
    if (isWaiting) return Math.max(backOffMs(), requiredMs);
    failures = 0;
    return 0;
  }

  /** Resolves with whether the action was still in that state. */
  async function change(
    key: string,
    from: OutboxAction['state'],
    next: Partial<OutboxAction>,
  ): Promise<boolean> {
    let isChanged = false;
    const actions = await store.change((actions, changes) => {
      const action = actions.find(({ idempotencyKey }) => idempotencyKey === key);
      if (action?.state !== from) return;
      isChanged = true;
      changes.put({ ...action, problems: [], errors: [], refusedUntil: undefined, ...next });
      if (next.state !== 'done') return;
      changes.removeInput(key);
      const earlier = actions.filter(({ state }) => state === 'done');
      for (const one of earlier.slice(0, -mostDone + 1)) changes.remove(one);
    });
    onChange(actions);
    return isChanged;
  }

  function backOffMs(): number {
    failures += 1;
    return 1 + reconnectMs(failures + 1);
  }

  return {
    wake,
    isAwake: () => state !== 'idle' || timer !== undefined,
    interrupt: () => attempt.abort(),
    interruptUnlessIn(actions) {
      if (!actions.some(({ idempotencyKey }) => idempotencyKey === sending)) attempt.abort();
    },
    close() {
      state = 'closed';
      clearTimeout(timer);
    },
  };
}

function isOnline(): boolean {
  return navigator.onLine !== false;
}

/** Time before the action may be sent (ms); 0 when the clock of the device was set back since, so that it is not known. */
function restOfRefusalMs({ refusedUntil = 0, errors }: OutboxAction): number {
  const restMs = refusedUntil - Date.now();
  return restMs <= requiredMsOf(errors) + clockToleranceMs ? restMs : 0;
}

function requiredMsOf(errors: OutboxAction['errors']): number {
  return Math.max(0, ...errors.map(retryAfterMsOf));
}

/** The gateway refuses a file that arrives too slowly with a request error that may pass. */
function isTooSlow({ extensions }: OutboxAction['errors'][number]): boolean {
  return extensions?.['code'] === 'BAD_REQUEST';
}
