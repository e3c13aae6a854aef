import { badUserInput } from '../errors.ts';
import type { Upstream } from '../upstream/client.ts';
import { indispensable, readEnvelope, type WireObject } from '../upstream/decode.ts';
import { checkedId, type Endpoint } from '../upstream/endpoint.ts';

/** Interface document, "Generate Fapiao PDF from XML". */
export const createFapiaoEndpoint: Endpoint = {
  operation: 'createFapiao',
  method: 'POST',
  path: '/v2/supernova/models/document/create-fapiao-xml',
  demands: ['x-api-key', 'authorization'],
  kind: 'write',
};

export interface FapiaoDocument {
  /** Signed: sent byte for byte. */
  readonly xml: Uint8Array;
  readonly name: string | undefined;
  readonly queueId: string | undefined;
}

export interface FapiaoRequest {
  readonly requestId: string;
  readonly message: string;
}

export type NameEncoding = 'percent' | 'rfc2047' | 'utf8';

/** Longest name, in characters: as a header it must stay well below what servers accept. */
const maxNameLength = 500;

export function createFapiao(
  upstream: Upstream,
  { xml, name, queueId }: FapiaoDocument,
  nameEncoding: NameEncoding,
): Promise<FapiaoRequest> {
  return upstream.call({
    endpoint: createFapiaoEndpoint,
    headers: {
      'content-type': 'application/xml',
      ...(name !== undefined && { name: encodeName(name, nameEncoding) }),
      ...(queueId !== undefined && { qid: checkedId(queueId, 'queueId') }),
    },
    body: xml,
    decode: (body, report) => decodeAcknowledgement(readEnvelope(body, 'createXmlDocument', report)),
  });
}

/**
 * A name as a header value: printable ASCII as it is, anything else encoded, since no header carries it
 * (RFC 9110, section 5.5). What the service expects is not shown: see FAPIAO_NAME_ENCODING.
 */
export function encodeName(name: string, encoding: NameEncoding): string {
  if (name.length > maxNameLength) throw badUserInput(`name has more than ${maxNameLength} characters.`);
  if (!name.isWellFormed()) throw badUserInput('name is no valid Unicode text.');
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(name)) return name;
  switch (encoding) {
    case 'percent':
      return encodeURIComponent(name);
    case 'rfc2047':
      return `=?UTF-8?B?${Buffer.from(name).toString('base64')}?=`;
    case 'utf8':
      if (/\p{Cc}/u.test(name)) throw badUserInput('name holds a control character.');
      return Buffer.from(name).toString('latin1');
  }
}

function decodeAcknowledgement(wire: WireObject): FapiaoRequest {
  const request: FapiaoRequest = {
    requestId: indispensable(wire.id('requestId'), 'requestId'),
    message: wire.text('message') ?? '',
  };
  wire.done();
  return request;
}
