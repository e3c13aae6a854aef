/** The application that a request names, in the headers of Apollo's clients or those of others. */

import { type Application, applicationOf } from '../caller.ts';
import { initMembers } from './credentials.ts';
import type { RequestHead } from './graphql/http-request.ts';

export function applicationFromRequest({ headers }: RequestHead): Application | undefined {
  return applicationFrom((name) => headers[name]);
}

/** Reads the payload of a WebSocket's `connection_init`. One without a name leaves the headers of the upgrade request. */
export function applicationFromConnectionInit(
  payload: unknown,
  upgrade: RequestHead,
): Application | undefined {
  return applicationFrom(initMembers(payload)) ?? applicationFromRequest(upgrade);
}

function applicationFrom(read: (name: string) => unknown): Application | undefined {
  return (
    applicationOf(read('apollographql-client-name'), read('apollographql-client-version')) ??
    applicationOf(read('x-graphql-client-name'), read('x-graphql-client-version'))
  );
}
