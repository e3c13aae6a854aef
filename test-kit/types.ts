/** What `startFolio` takes and returns. The package contains the declarations of this folder only. */

import type { CredentialHeader, SandboxEndpoint } from './schema-types.ts';

export type { SandboxEndpoint };

/**
 * How a call misbehaves. `status-503`, `retry-after-2` (429, seconds) and `unavailable-2` (503, seconds) respond instead
 * of the endpoint. All others run the endpoint, then delay its response (`slow-500`: milliseconds), lose it (`hang`, `reset`) or change it.
 */
export type FaultName =
  | `status-${number}`
  | `retry-after-${number}`
  | `unavailable-${number}`
  | `slow-${number}`
  | 'hang'
  | 'reset'
  | 'mistyped-members'
  | 'unknown-words';

export interface Fault {
  /** `*`: every endpoint. */
  readonly endpoint: SandboxEndpoint | '*';
  readonly fault: FaultName;
  /** Number of calls that the fault applies to; null: all calls until it is cleared. Default 1. */
  readonly times?: number | null;
}

export interface Faults {
  /** The faults that still apply, in their order. */
  readonly active: readonly Fault[];
  /** Adds a fault behind those of the same endpoint. Throws when the fault has an unknown name. */
  set(fault: Fault): void;
  /** Removes the faults of an endpoint. Default: all faults. */
  clear(endpoint?: SandboxEndpoint): void;
}

/** The clock of the sandbox, which decides the states of imported e-invoices. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Moves the clock forward (ms). */
  advance(ms: number): void;
}

/** One call of the gateway to the service. */
export interface ReceivedCall {
  /** null: the service has no such endpoint. */
  readonly endpoint: SandboxEndpoint | null;
  readonly method: string;
  readonly path: string;
  /** With names in lower case; credentials are cut to three characters. */
  readonly headers: Readonly<Record<string, string>>;
  /** null: no response was sent, or not yet. */
  readonly status: number | null;
  /** Sandbox clock, epoch milliseconds. */
  readonly at: number;
  /** Name of the fault that was applied. */
  readonly fault?: string;
  /** Of a scan: its file and its other parts, as they were received. */
  readonly file?: {
    readonly name: string;
    readonly contentType: string;
    readonly bytes: number;
    readonly sha256: string;
  };
  readonly qid?: string;
  readonly handwritten?: string;
  /** Of a JSON body: its size, its digest, and up to 4 KiB of its text. */
  readonly bytes?: number;
  readonly sha256?: string;
  readonly body?: string;
  /** Of an import: its queue and its document. */
  readonly queueId?: string;
  readonly docType?: string;
  readonly docNumber?: string;
  /** Of an import and of a status. */
  readonly docId?: number | string;
  /** Of a Mexican status. */
  readonly idOrUuid?: string;
}

export interface ReceivedCalls {
  /** Oldest first, at most 10,000. */
  list(): readonly ReceivedCall[];
  clear(): void;
}

export interface FolioOptions {
  /** Faults that apply from the start. Default: none. */
  readonly faults?: readonly Fault[];
  /** The sandbox clock stays at this time until it is advanced. Default: it runs, from the current time. */
  readonly clock?: Date;
  /** Environment variables of the gateway, for example `{ CORS_ORIGINS: 'http://localhost:5173' }`. Default: none. */
  readonly settings?: Readonly<Record<string, string | undefined>>;
}

/** What each gateway of the kit has. */
export interface SharedParts {
  /** Headers that the sandbox accepts. What was created is visible with the same API key only. */
  readonly credentials: Readonly<Record<CredentialHeader, string>>;
  readonly faults: Faults;
  readonly clock: Clock;
  readonly calls: ReceivedCalls;
  /** Ends all requests and frees the ports. */
  close(): Promise<void>;
}

/** A gateway and a sandbox in this process. */
export interface Folio extends SharedParts {
  /** Address of the GraphQL endpoint. */
  readonly url: string;
  /** The same for WebSockets. */
  readonly wsUrl: string;
  readonly connections: {
    /** Loses all connections to the gateway: WebSockets, event streams and requests in progress. */
    cut(): void;
  };
}

/** A gateway and a sandbox in this process, without a port or a socket. */
export interface FolioWithoutPort extends SharedParts {
  /** As the global `fetch`, for any address or path. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
}
