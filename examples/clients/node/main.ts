/** A Node server that renders a page with the credentials of its user: `node src/main.ts`. */
import { createServer } from 'node:http';
import { MexicoValidationDocument } from '@folio/client/operations';
import { createServerRequest, privatePage } from '@folio/client/server';

const url = process.env['FOLIO_URL'] ?? 'http://127.0.0.1:4000/graphql';

/** What the service reports may be the text of a document: it must not become markup. */
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

createServer(async (incoming, response) => {
  const headers = new Headers(incoming.headers as Record<string, string>);
  // The token of the user who is signed in, from the session store of this server.
  const request = createServerRequest({ url, apiKey: 'demo', token: 'demo-token', incoming: { headers } });
  const read = request(MexicoValidationDocument, { by: { documentId: '1002' } });
  // It rejects when the gateway cannot be reached, which must not end this server.
  const { data, errors } = await read.catch((error: Error) => ({ data: null, errors: [error] }));
  const { result, invalidReason } = data?.mexicoValidation ?? {};
  const validation = `${result ?? 'never validated'}: ${invalidReason ?? ''}`;
  const text = errors.length > 0 ? errors.map(({ message }) => message).join() : validation;
  const html = { ...privatePage, 'content-type': 'text/html; charset=utf-8' };
  response.writeHead(errors.length > 0 ? 502 : 200, html);
  response.end(`<div id="app">${escaped(text)}</div>`);
}).listen(Number(process.env['PORT'] ?? 5173), '127.0.0.1');
