import { randomUUID } from 'node:crypto';
import { SaxesParser } from 'saxes';
import { type Endpoint, readNotedBody } from './endpoint.ts';
import { decodeUtf8, demandMediaType, json, Refusal } from './http.ts';

/** `POST /v2/supernova/models/document/create-fapiao-xml`. */
export function fapiaoEndpoint(): Endpoint {
  return {
    name: 'fapiao',
    method: 'POST',
    path: /^\/v2\/supernova\/models\/document\/create-fapiao-xml$/,
    demands: ['x-api-key', 'authorization'],
    async answer(call) {
      const { headers } = call.request;
      call.note({ name: decodedHeader(headers['name']), qid: decodedHeader(headers['qid']) });
      demandMediaType(call.request, 'application/xml');
      const root = rootElement(decodeUtf8(await readNotedBody(call)));
      if (root !== 'EInvoice') throw new Refusal(400, 'The root element must be EInvoice.');
      return json(200, {
        createXmlDocument: {
          message: 'Document creation request has been accepted.',
          requestId: randomUUID(),
        },
      });
    },
  };
}

/** Percent-decoded where it can be; null where the header is absent. */
function decodedHeader(value: string | string[] | undefined): string | null {
  if (typeof value !== 'string') return null;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function rootElement(xml: string): string | undefined {
  let root: string | undefined;
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    root ??= name;
  });
  try {
    // Without an error handler the parser throws at the first fault.
    parser.write(xml).close();
  } catch {
    throw new Refusal(400, 'The body is not well-formed XML.');
  }
  return root;
}
