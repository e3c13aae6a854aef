import { randomUUID } from 'node:crypto';
import { SaxesParser } from 'saxes';
import { type Endpoint, readNotedBody } from '../endpoint.ts';
import { decodeUtf8, HttpError, json, requireMediaType } from '../http.ts';

/** `POST /v2/supernova/models/document/create-fapiao-xml`. */
export function fapiao(): Endpoint {
  return {
    method: 'POST',
    path: /^\/v2\/supernova\/models\/document\/create-fapiao-xml$/,
    requiredCredentials: ['apiKey', 'authorization'],
    inputs: {
      'Fapiao: file': {
        'declares an encoding that it does not have': '400, `InvalidInput`',
        'declares another encoding than UTF-8, and in it is malformed or has another root than `EInvoice`':
          '400, `InvalidInput`',
        'any other that the gateway sends': 'accepted',
      },
    },
    async handle(call) {
      const { headers } = call.request;
      call.note({ name: decodedHeader(headers['name']), qid: decodedHeader(headers['qid']) });
      requireMediaType(call.request, 'application/xml');
      const root = rootElement(decodeXml(await readNotedBody(call)));
      if (root?.split(':').at(-1) !== 'EInvoice')
        throw new HttpError(400, 'The root element must be EInvoice.');
      return json(200, {
        createXmlDocument: {
          message: 'Document creation request has been accepted.',
          requestId: randomUUID(),
        },
      });
    },
  };
}

/** The header's value, percent-decoded if it is valid percent-encoding; null if the header is absent. */
function decodedHeader(value: string | string[] | undefined): string | null {
  if (typeof value !== 'string') return null;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** The first bytes of UTF-16, in hexadecimal digits: its byte order mark, or `<` without one. */
const utf16Labels: Readonly<Record<string, string>> = {
  fffe: 'utf-16le',
  '3c00': 'utf-16le',
  feff: 'utf-16be',
  '003c': 'utf-16be',
};

/** Decodes the XML in the encoding of its first bytes or its declaration; UTF-8 without either. */
function decodeXml(content: Buffer): string {
  const beginning = content.toString('latin1', 0, 400);
  const declared = /^<\?xml[^>]*?\sencoding\s*=\s*["']([^"']+)["']/.exec(beginning)?.[1];
  const label = utf16Labels[content.toString('hex', 0, 2)] ?? declared;
  if (label === undefined || /^utf-?8$/i.test(label)) return decodeUtf8(content);
  try {
    return new TextDecoder(label, { fatal: true }).decode(content);
  } catch {
    throw new HttpError(400, 'The body is not valid in the encoding that it declares.');
  }
}

function rootElement(xml: string): string | undefined {
  let root: string | undefined;
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    root ??= name;
  });
  try {
    // Without an error handler the parser throws at the first error.
    parser.write(xml).close();
  } catch {
    throw new HttpError(400, 'The body is not well-formed XML.');
  }
  return root;
}
