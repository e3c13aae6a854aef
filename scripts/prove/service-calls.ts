/** Calls to the service as it is, each made once and recorded: what the decisions about assumptions rest on. */
import { credentialHeaders } from '../../src/caller.ts';
import { type AssumptionsConfig, readConfig } from '../../src/config/config.ts';
import { valueAt } from '../../src/features/malaysia/status-response.ts';
import { readServiceJson } from '../../src/upstream/exact-json.ts';

export interface ProveOptions {
  /** Base URL of the service. */
  readonly service: string;
  readonly key: string;
  /** The access token, without `Bearer`. */
  readonly token: string;
  /** Queue for what is written; undefined: nothing is written. */
  readonly queue: string | undefined;
  /** Id of a document with a stored Mexican validation. */
  readonly mexico: string;
  /** Id of a Malaysian document, at best one that was rejected or failed. */
  readonly malaysia: string;
  /** Image of a card to scan; undefined: an image without text. */
  readonly card: Uint8Array | undefined;
  /** Longest wait for the status of an import, and the pause between two requests for it (ms). */
  readonly waitMs: number;
  readonly pauseMs: number;
}

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined when the body is not JSON. */
  readonly json: unknown;
}

interface Sent {
  readonly method?: 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
  /** Default: both credentials. */
  readonly credentials?: 'none' | 'key';
}

/** Longest time for one response (ms). */
const deadlineMs = 60_000;

export class ServiceCalls {
  readonly options: ProveOptions;
  /** As the variables of the environment set them. */
  readonly assumptions: AssumptionsConfig;
  readonly responses: ServiceResponse[] = [];
  readonly #results = new Map<string, Promise<unknown>>();

  constructor(options: ProveOptions) {
    this.options = options;
    const environment = { ...process.env, UPSTREAM_URL: undefined, NODE_ENV: undefined };
    this.assumptions = readConfig(environment).assumptions;
  }

  /** Runs `work` once under its name: decisions share calls. */
  once<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#results.getOrInsertComputed(name, work) as Promise<T>;
  }

  /** Never follows a redirect: the credentials are for this service only. */
  async send(path: string, { method, headers = {}, body, credentials }: Sent = {}): Promise<ServiceResponse> {
    const { service, key, token } = this.options;
    const response = await fetch(service.replace(/\/$/, '') + path, {
      method: method ?? 'GET',
      redirect: 'manual',
      signal: AbortSignal.timeout(deadlineMs),
      headers: {
        ...(credentials !== 'none' && { [credentialHeaders.apiKey]: key }),
        ...(credentials === undefined && { [credentialHeaders.authorization]: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const recorded = { status: response.status, headers: response.headers, text, json: jsonOf(text) };
    this.responses.push(recorded);
    return recorded;
  }

  /** The response to a GET without a body, made once. */
  get(path: string, credentials?: Sent['credentials']): Promise<ServiceResponse> {
    const sent = credentials === undefined ? {} : { credentials };
    return this.once(`GET ${path} ${credentials}`, () => this.send(path, sent));
  }

  post(path: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<ServiceResponse> {
    return this.send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  }
}

function jsonOf(text: string): unknown {
  try {
    return readServiceJson(Buffer.from(text));
  } catch {
    return undefined;
  }
}

type Verdict = 'holds' | 'wrong' | 'not decidable';

export interface Decision {
  readonly verdict: Verdict;
  /** Why, without data of a document. */
  readonly because: string;
}

export const holds = (because: string): Decision => ({ verdict: 'holds', because });
export const wrong = (because: string): Decision => ({ verdict: 'wrong', because });
export const undecided = (because: string): Decision => ({ verdict: 'not decidable', because });

/** Decides one assumption. */
export type Decide = (service: ServiceCalls) => Promise<Decision> | Decision;

export const isAccepted = ({ status }: ServiceResponse): boolean => status >= 200 && status < 300;

/** `value[names[0]][names[1]]…`; undefined where that is not there. */
export const at = (value: unknown, ...names: readonly string[]): unknown => valueAt(names, value);

/**
 * Decides an assumption about what the service accepts. It is wrong only when the service accepts the same call without
 * what is assumed.
 */
export async function decideAccepted(
  assumed: ServiceResponse,
  otherwise: () => Promise<ServiceResponse>,
  what: string,
): Promise<Decision> {
  if (isAccepted(assumed)) return holds(`the service accepts ${what}`);
  const other = await otherwise();
  return isAccepted(other)
    ? wrong(`the service refuses ${what} (${assumed.status}) and accepts the call without`)
    : undecided(`the service refuses the call in both ways (${assumed.status}, ${other.status})`);
}
