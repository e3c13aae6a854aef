/**
 * Lists the calls to the service that were made for one operation. operation-in-progress.ts adds them to its result as
 * `extensions.calls`, if `EXPOSE_CALLS` allows it (default: config/config.ts).
 */
import type { CallSummary, OnCall } from '../caller.ts';

interface Entry {
  readonly call: CallSummary;
  readonly path: string;
  readonly isShared: boolean;
}

const maxCalls = 100;

export class CallList {
  readonly #entries: Entry[] = [];
  /** How many fields use a response, by endpoint and id. The number of fields of an operation bounds them. */
  readonly #fields = new Map<string, number>();
  #total = 0;

  readonly add: OnCall = (call, path, isShared) => {
    // Two fields of an operation can share a call without a loader: it is listed once.
    if (this.#entries.some((entry) => entry.call === call)) return;
    this.#total += 1;
    if (this.#entries.length < maxCalls) this.#entries.push({ call, path, isShared });
  };

  /** Records that a field uses the response for `id`, which the last part of the call's path names. */
  addField(endpoint: string, id: string): void {
    const key = `${endpoint} ${id}`;
    this.#fields.set(key, (this.#fields.get(key) ?? 0) + 1);
  }

  /** Undefined when no call was made. */
  extensions() {
    if (this.#entries.length === 0) return undefined;
    const more = this.#total - this.#entries.length;
    return {
      /** The first 100 calls, in the order in which they ended. */
      calls: this.#entries.map((entry) => this.#listed(entry)),
      ...(more > 0 && { moreCalls: more }),
    };
  }

  #listed({ call, path, isShared }: Entry) {
    const { operation, status = null, durationMs, attempts } = call;
    const id = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
    /** Whether the response was also used for another field, or for another operation with the same credentials. */
    const shared = isShared || (this.#fields.get(`${operation} ${id}`) ?? 0) > 1;
    return { operation, status, durationMs, attempts, shared };
  }
}
