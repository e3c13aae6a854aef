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

/** Reads the body of a response. Rejects when it was cut, or is not of GraphQL. */
export async function readResponse(response: Response): Promise<GraphqlResponse> {
  const json: unknown = await response.json();
  const { data, errors = [], extensions } = Object(json) as Partial<GraphqlResponse>;
  if (!Array.isArray(errors) || (data === undefined && errors.length === 0))
    throw new TypeError('The response is not a GraphQL response.');
  return { data, errors, extensions };
}
