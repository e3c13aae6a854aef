import type { IncomingMessage } from 'node:http';
import type { EndpointName } from './endpoint.ts';

/** One call as it was received. What the endpoint notes of it stands beside these members. */
export interface CallEntry {
  /** null: no call that docs/service.md describes. */
  endpoint: EndpointName | null;
  readonly method: string;
  readonly path: string;
  /** As received, names in lower case; of a credential only its beginning and its length. */
  readonly headers: Readonly<Record<string, string>>;
  /** null: not answered, or not yet. */
  status: number | null;
  /** Sandbox clock, epoch milliseconds. */
  readonly at: number;
  /** The fault that the call met. */
  fault?: string;
}

export interface CallLog {
  readonly entries: readonly CallEntry[];
  open(request: IncomingMessage, path: string, at: number): CallEntry;
  clear(): void;
}

const maxEntries = 10_000;

export function createCallLog(): CallLog {
  const entries: CallEntry[] = [];
  return {
    entries,
    open(request, path, at) {
      const entry: CallEntry = {
        endpoint: null,
        method: request.method ?? '',
        path,
        headers: shownHeaders(request),
        status: null,
        at,
      };
      entries.push(entry);
      if (entries.length > maxEntries) entries.shift();
      return entry;
    },
    clear() {
      entries.length = 0;
    },
  };
}

function shownHeaders(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headersDistinct).map(([name, values = []]) => {
      const secret = name === 'x-api-key' || name === 'authorization';
      return [name, values.map((value) => (secret ? masked(value) : value)).join(', ')];
    }),
  );
}

function masked(credential: string): string {
  return `${credential.slice(0, 3)}…(${credential.length})`;
}
