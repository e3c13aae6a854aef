/** Next.js: a page that the server renders with the credentials of its user. Reading headers makes it dynamic. */
import { MexicoValidationDocument } from '@folio/client/operations';
import { createServerRequest } from '@folio/client/server';
import { headers } from 'next/headers';

const url = process.env['FOLIO_URL'] ?? 'http://127.0.0.1:4000/graphql';

export default async function Page() {
  const incoming = { headers: new Headers(await headers()) };
  // The token of the user who is signed in, from cookies() and the session store of this server.
  const request = createServerRequest({ url, apiKey: 'demo', token: 'demo-token', incoming });
  const { data, errors } = await request(MexicoValidationDocument, { by: { documentId: '1002' } });
  if (errors.length > 0) return <p>{errors.map(({ message }) => message).join()}</p>;
  const { result, invalidReason } = data?.mexicoValidation ?? {};
  return <p>{`${result ?? 'never validated'}: ${invalidReason ?? ''}`}</p>;
}
