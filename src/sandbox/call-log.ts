import type { IncomingMessage } from 'node:http';
import { BoundedMap } from './bounded-map.ts';
import { credentialHeaders } from './credentials.ts';
import type { JsonObject } from './http.ts';
import type { EndpointName } from './named-endpoints.ts';

/** One call that the sandbox received. */
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
  /** Members that the endpoint adds. */
  readonly [detail: string]: unknown;
}

export type CallLog = ReturnType<typeof createCallLog>;

const maxEntries = 10_000;

/** The oldest entries are dropped when there are more, or their texts have too many characters. */
export function createCallLog() {
  const entries = new BoundedMap<CallEntry, true>(maxEntries);
  return {
    get entries(): readonly CallEntry[] {
      return [...entries.keys()];
    },
    open(request: IncomingMessage, path: string, at: number): CallEntry {
      const entry: CallEntry = {
        endpoint: null,
        method: request.method ?? '',
        path,
        headers: shownHeaders(request),
        status: null,
        at,
      };
      entries.set(entry, true);
      return entry;
    },
    /** Adds members to an entry. */
    note(entry: CallEntry, details: JsonObject) {
      Object.assign(entry, details);
      // It may have been dropped or deleted meanwhile.
      if (entries.has(entry)) entries.set(entry, true);
    },
    clear: () => entries.clear(),
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
