/** What a response says. A proxy answers with JSON of its own, which says nothing about the operation. */
import type { WriteError } from './list-of-writes.ts';

/**
 * Of each request with credentials: after a redirect `fetch` would send the API key to another origin. The gateway redirects
 * nothing, so a redirect is a lost response. Not `error`, which Cloudflare Workers do not have.
 */
export const redirect = 'manual';

interface GraphqlResponse {
  readonly data: Record<string, unknown> | null | undefined;
  readonly errors: readonly WriteError[];
  readonly extensions: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Reads the body of a response to a read, or to a write. Rejects when it was cut, or is not of GraphQL; the cause of the latter is
 * the response.
 */
export async function readResponse(response: Response, isRead: boolean): Promise<GraphqlResponse> {
  const json: unknown = await response.json().catch((error: unknown) => {
    if (!(error instanceof SyntaxError)) throw error;
  });
  const { data, errors: given, extensions } = Object(json) as Partial<GraphqlResponse>;
  const errors = given ?? [];
  if (!Array.isArray(errors) || (data === undefined && !areOfGraphql(errors, response))) {
    const { status, url } = response;
    // An upload with progress knows no address.
    const what = `The response${url && ` of ${url}`} with status ${status} is not a GraphQL response`;
    throw new TypeError(`${what}: check the address of the gateway.`, { cause: response });
  }
  return { data, errors: errorsOf(errors, isRead), extensions };
}

/**
 * The errors of a result. One that is not an object, such as null, says only that something failed. A router in front of the
 * gateway has errors without a side effect: a read has none, and what a write did is not known.
 */
export function errorsOf(errors: readonly unknown[], isRead: boolean): WriteError[] {
  return errors.map((given) => {
    const error = typeof given === 'object' && given !== null ? (given as WriteError) : unreadable;
    if (!isRead || error.extensions?.['sideEffect'] !== undefined) return error;
    return { ...error, extensions: { ...error.extensions, sideEffect: 'NONE' } };
  });
}

const unreadable: WriteError = { message: 'The response has an error that is not an object.' };

/** A proxy that fails may call its own errors `errors`: those of the gateway have `extensions`. */
function areOfGraphql(errors: readonly (WriteError | null)[], { ok }: Response): boolean {
  return ok ? errors.length > 0 : errors.some((error) => error?.extensions !== undefined);
}
