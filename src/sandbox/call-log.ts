import type { IncomingMessage } from 'node:http';
import { charactersIn, maxCharacters } from './bounded-map.ts';
import { credentialHeaders } from './credentials.ts';
import type { JsonObject } from './http.ts';
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

export type CallLog = ReturnType<typeof createCallLog>;

const maxEntries = 10_000;

/** The oldest entries are dropped when there are more, or their texts have too many characters. The newest is kept. */
export function createCallLog() {
  const entries: CallEntry[] = [];
  /** The characters of each entry that is kept. */
  const sizes = new Map<CallEntry, number>();
  let characters = 0;

  function count(entry: CallEntry, added: number): void {
    sizes.set(entry, (sizes.get(entry) ?? 0) + added);
    characters += added;
    while (entries.length > maxEntries || (characters > maxCharacters && entries.length > 1)) {
      const oldest = entries.shift() as CallEntry;
      characters -= sizes.get(oldest) ?? 0;
      sizes.delete(oldest);
    }
  }

  return {
    entries: entries as readonly CallEntry[],
    open(request: IncomingMessage, path: string, at: number): CallEntry {
      const entry: CallEntry = {
        endpoint: null,
        method: request.method ?? '',
        path,
        headers: shownHeaders(request),
        status: null,
        at,
      };
      entries.push(entry);
      count(entry, charactersIn(entry));
      return entry;
    },
    /** Adds members to an entry. */
    note(entry: CallEntry, details: JsonObject) {
      Object.assign(entry, details);
      // It may have been dropped or deleted meanwhile.
      if (sizes.has(entry)) count(entry, charactersIn(details));
    },
    clear() {
      entries.length = 0;
      sizes.clear();
      characters = 0;
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
