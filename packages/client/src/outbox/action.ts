/** An action of the outbox: what is stored, which action is sent next, and which state follows from a response. */
import type { RefusalFragment } from '../gql/graphql.ts';
import type { WriteError } from '../list-of-writes.ts';
import { isUnauthenticated } from '../retry-rule.ts';

export type ActionState =
  /** Stored, and not sent yet, or certainly not done by what was sent. */
  | 'waiting'
  /** Sent; what became of it is not known yet. */
  | 'sent'
  | 'done'
  /** Nothing was done, and sending it again does not help: see `problems` and `errors`. */
  | 'refused'
  /** It may have been done: the user checks at the service, and then removes it or sends it again. */
  | 'unknown';

export interface OutboxAction {
  /** Id on this device. It grows with each action that is added. */
  readonly id: number;
  readonly idempotencyKey: string;
  /** Text that the user sees. */
  readonly title: string;
  /** Name of the operation. */
  readonly operation: string | undefined;
  /** See `AddOptions`. */
  readonly sequence: string | undefined;
  /** Size of the files and of the JSON of the other variables. */
  readonly bytes: number;
  /** Epoch milliseconds. */
  readonly addedAt: number;
  readonly state: ActionState;
  /** When it was sent; undefined in the state `waiting`. */
  readonly sentAt: number | undefined;
  /** The gateway refused it for a time that ends then (epoch ms); it is not sent before. */
  readonly refusedUntil: number | undefined;
  /** Number of attempts of which the gateway received nothing, or the file too slowly. */
  readonly lostAttempts: number;
  /** The ids of the result when the action is done; undefined when the gateway does not know them any more. */
  readonly result: ActionResult | undefined;
  /** Problems of an input that was refused. */
  readonly problems: RefusalFragment['problems'];
  /** Why the action was refused, is unknown, or has to wait; empty if no response came. */
  readonly errors: readonly WriteError[];
}

/** What identifies the result. Nothing else of it is stored: `writeOutcome` returns it by the key. */
export interface ActionResult {
  readonly __typename: string;
  readonly id?: string;
  readonly documentId?: string;
  readonly requestId?: string;
}

/** What an attempt to send an action changes. */
export interface Outcome
  extends Pick<OutboxAction, 'state'>,
    Partial<Pick<OutboxAction, 'result' | 'problems' | 'errors'>> {}

/** The next action to send, or to ask the gateway about. Actions are in the order in which they were added. */
export function nextOf(actions: readonly OutboxAction[]): OutboxAction | undefined {
  const held = new Set<string | undefined>();
  return actions.find(({ state, sequence }) => {
    const isOpen = state === 'waiting' || state === 'sent';
    if (!isOpen && state !== 'done' && sequence !== undefined) held.add(sequence);
    return isOpen && !held.has(sequence);
  });
}

interface Response {
  readonly data: Readonly<Record<string, unknown>> | null | undefined;
  readonly errors: readonly WriteError[];
}

type Write = ActionResult & Partial<Pick<OutboxAction, 'problems'>>;

/** What a response says about its action; undefined when it says nothing, for example a response of a proxy. */
export function outcomeOf({ data, errors }: Response): Outcome | undefined {
  const [, write] = Object.entries(data ?? {}).find(([name]) => name !== '__typename') ?? [];
  const effects = errors.map(({ extensions }) => extensions?.['sideEffect']);
  if (write) {
    const { documentId, problems = [], ...result } = write as Write;
    if (result.__typename === 'InvalidInput') return { state: 'refused', problems };
    // A scan without the id of a document: the service returned its values only.
    if (effects.includes('POSSIBLE') || documentId === '') return { state: 'unknown', errors };
    return { state: 'done', result: resultOf(write as Write) };
  }
  if (errors.length === 0) return undefined;
  if (effects.includes('APPLIED')) return { state: 'done' };
  if (!effects.every((effect) => effect === 'NONE')) return { state: 'unknown', errors };
  const mayRepeat = errors.every(
    (error) => error.extensions?.['retryable'] === true || isUnauthenticated(error),
  );
  return { state: mayRepeat ? 'waiting' : 'refused', errors };
}

function resultOf({ __typename, ...write }: ActionResult): ActionResult {
  const ids = (['id', 'documentId', 'requestId'] as const).flatMap((name) =>
    typeof write[name] === 'string' ? [[name, write[name]] as const] : [],
  );
  return { __typename, ...Object.fromEntries(ids) };
}

/** An action was not stored: a bound is reached. Remove actions, or wait until some are done. */
export class OutboxFullError extends Error {
  override readonly name = 'OutboxFullError';
  /** The bound that was reached: `maxActions`, `maxBytes`, or the storage that the browser grants. */
  readonly bound: 'actions' | 'bytes' | 'storage';

  constructor(bound: OutboxFullError['bound'], limit?: number) {
    const limits = {
      actions: `has ${limit} actions that are not done`,
      bytes: `cannot hold more than ${limit} bytes`,
      storage: 'has no space left in the storage of the browser',
    };
    super(`The action was not stored: the outbox ${limits[bound]}.`);
    this.bound = bound;
  }
}
