/** The history of keyed writes and of watched statuses, and the promises of docs/several-gateways.md that it can break. */

/** One request of a client. */
export interface Invocation {
  readonly key: string;
  /** Sent as x-request-id, and so by the gateway to the service. */
  readonly id: string;
  /** Name of the process that received it. */
  readonly gateway: string;
  readonly begunAt: number;
  readonly endedAt: number;
  /**
   * `group …` for a value, `code sideEffect` for an error, `lost` without a response. Where `writeOutcome` was asked also `unused`
   * for null, and `running`.
   */
  readonly result: string;
  /** Whether all faults had ended, and all gateways had written since. */
  readonly isCalm: boolean;
}

/** One POST that the service received. */
export interface Post {
  readonly key: string;
  readonly requestId: string;
  readonly at: number;
  /** Undefined if the service reset the connection. */
  readonly result: string | undefined;
}

export interface Fault {
  readonly what: string;
  /** A gateway's process, or all that concerns Redis: its servers, and the network between them and to gateways. */
  readonly of: string | 'redis';
  readonly isKill: boolean;
  readonly from: number;
  readonly to: number;
}

/** A status that a subscriber received. */
export interface Seen {
  /** The document, and the connection of the subscription. */
  readonly watch: string;
  /** The service's state, which grows with time. */
  readonly state: number;
}

export interface History {
  readonly invocations: readonly Invocation[];
  readonly posts: readonly Post[];
  readonly faults: readonly Fault[];
  /** In the order of reception. */
  readonly seen: readonly Seen[];
}

/** How long gateways may need to reach Redis after a fault: failover, connections and what they restore there (ms). */
const recoveryMs = 20_000;

/** Time within which an outcome is certainly acknowledged by the replicas, or stored again (ms). */
const acknowledgedMs = 60_000;

/** A sentence for each promise that the history breaks. */
export function violationsOf(history: History): string[] {
  return [
    ...sentTwice(history),
    ...wrongSideEffects(history),
    ...wrongValues(history),
    ...lostValues(history),
    ...forgottenKeys(history),
    ...reversedStates(history),
  ];
}

function* sentTwice({ posts }: History): Iterable<string> {
  const keys = new Set<string>();
  for (const { key, requestId } of posts) {
    if (keys.has(key)) yield `${key} was sent twice: ${requestId}`;
    keys.add(key);
  }
}

function* wrongSideEffects({ invocations, posts }: History): Iterable<string> {
  const senders = new Set(posts.map(({ requestId }) => requestId));
  for (const { id, result } of invocations) {
    if (result.endsWith(' NONE') && senders.has(id)) yield `${id} was sent, and reported as ${result}`;
    if (result.startsWith('unexpected')) yield `${id} returned ${result}`;
  }
}

function* forgottenKeys({ invocations, posts }: History): Iterable<string> {
  const sentAt = new Map(posts.map(({ key, at }) => [key, at]));
  for (const { key, id, result, begunAt } of invocations) {
    if (result === 'unused' && begunAt > (sentAt.get(key) ?? Number.POSITIVE_INFINITY))
      yield `${id} found ${key} unused after its write was sent`;
  }
}

function* reversedStates({ seen }: History): Iterable<string> {
  const last = new Map<string, number>();
  for (const { watch, state } of seen) {
    const before = last.get(watch) ?? state;
    if (state < before) yield `the watch of ${watch} received ${state} after ${before}`;
    last.set(watch, state);
  }
}

function* wrongValues({ invocations, posts }: History): Iterable<string> {
  const results = new Map(posts.map(({ key, result }) => [key, result]));
  for (const { key, id, result } of invocations) {
    if (result.startsWith('group') && results.get(key) !== result)
      yield `${id} returned ${result}, which is not what was sent`;
  }
}

function* lostValues(history: History): Iterable<string> {
  const { invocations, posts } = history;
  const returnedAt = new Map<string, number>();
  for (const { key, result, endedAt } of invocations) {
    if (!result.startsWith('group')) continue;
    returnedAt.set(key, Math.min(endedAt, returnedAt.get(key) ?? Number.POSITIVE_INFINITY));
  }
  const postOf = new Map(posts.map((post) => [post.key, post]));
  const gatewayOf = new Map(invocations.map(({ id, gateway }) => [id, gateway]));
  for (const later of invocations) {
    const returned = returnedAt.get(later.key);
    const post = postOf.get(later.key);
    if (!post || returned === undefined || later.begunAt <= returned) continue;
    // A gateway that has too much to do refuses requests before it looks for their keys (docs/limits.md).
    const harmless =
      /^(group .*|lost|running|unused|(UPSTREAM_UNAVAILABLE|SHUTTING_DOWN|RATE_LIMITED) NONE)$/;
    if (harmless.test(later.result)) continue;
    const sender = gatewayOf.get(post.requestId);
    const isPermitted =
      later.result === 'OUTCOME_UNKNOWN POSSIBLE' &&
      (isNotRestoredYet(history, later, sender) || isLostWithGateway(history, post, returned, sender));
    if (!isPermitted) yield `${later.id} returned ${later.result} after the value of ${later.key}`;
  }
}

/** A new primary may not have an outcome until the gateway that sent the write has stored it again there. */
function isNotRestoredYet(
  { faults }: History,
  { isCalm, begunAt, endedAt }: Invocation,
  sender: string | undefined,
): boolean {
  const isNear = ({ from, to }: Fault) => from <= endedAt && begunAt <= to + recoveryMs;
  return !isCalm && faults.some((fault) => (fault.of === 'redis' || fault.of === sender) && isNear(fault));
}

/** A gateway that is killed cannot store an outcome again that only a lost primary had. */
function isLostWithGateway(
  { faults }: History,
  { at }: Post,
  returnedAt: number,
  sender: string | undefined,
): boolean {
  const until = returnedAt + acknowledgedMs;
  const isAfter = ({ from, to }: Fault) => from <= until && to + recoveryMs >= at;
  const isKilled = faults.some((fault) => fault.of === sender && fault.isKill && isAfter(fault));
  return isKilled && faults.some((fault) => fault.of === 'redis' && isAfter(fault));
}
