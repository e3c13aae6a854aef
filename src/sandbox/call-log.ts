import type { IncomingMessage } from 'node:http';
import { credentialHeaders } from './credentials.ts';
import type { EndpointName } from './named-endpoints.ts';

/** One call that the sandbox received. The endpoint adds more members. */
export interface CallEntry {
  /** null: the path and method are not in docs/service.md. */
  endpoint: EndpointName | null;
  readonly method: string;
  readonly path: string;
  /** As received, with names in lower case; credentials are cut to three characters and their length. */
  readonly headers: Readonly<Record<string, string>>;
  /** null: no response was sent, or not yet. */
  status: number | null;
  /** Sandbox clock, epoch milliseconds. */
  readonly at: number;
  /** The fault that was applied to the call. */
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
      const secret = Object.values<string>(credentialHeaders).includes(name);
      return [name, values.map((value) => (secret ? masked(value) : value)).join(', ')];
    }),
  );
}

function masked(credential: string): string {
  return `${credential.slice(0, 3)}…(${credential.length})`;
}
