import type { AssumptionsConfig } from '../../config/config.ts';
import { badUserInput } from '../../errors.ts';
import type { InputProblem } from '../../input-problems.ts';
import { checkedText } from '../../upstream/checked-input.ts';
import type { Upstream } from '../../upstream/client.ts';
import { readEnvelope, required, type WireObject } from '../../upstream/decode.ts';
import type { Endpoint } from '../../upstream/endpoint.ts';

/** docs/service.md, "Request a Fapiao PDF". */
export const createFapiaoEndpoint = {
  name: 'createFapiao',
  method: 'POST',
  path: '/v2/supernova/models/document/create-fapiao-xml',
  requiredCredentials: ['apiKey', 'authorization'],
  kind: 'write',
  envelope: 'createXmlDocument',
  inputPaths: { name: ['name'], qid: ['queueId'] },
} as const satisfies Endpoint;

interface FapiaoDocument {
  /** Sent byte for byte, because it is signed. */
  readonly xml: Uint8Array;
  readonly name: string | undefined;
  readonly queueId: string | undefined;
}

export type FapiaoRequest = ReturnType<typeof decodeAcknowledgement>;
type NameEncoding = AssumptionsConfig['fapiaoNameEncoding'];

/** Longest header value after its encoding, in bytes: common servers refuse longer ones. */
const maxHeaderLength = 8_192;

export function createFapiao(
  upstream: Upstream,
  { xml, name, queueId }: FapiaoDocument,
  encoding: NameEncoding,
): Promise<FapiaoRequest> {
  return upstream.call({
    endpoint: createFapiaoEndpoint,
    headers: {
      'content-type': 'application/xml',
      ...(name !== undefined && { name: headerText(name, 'name', encoding) }),
      ...(queueId !== undefined && { qid: headerText(queueId, 'queueId', encoding) }),
    },
    body: xml,
    decode: (response, report, warnings) =>
      decodeAcknowledgement(readEnvelope(response, createFapiaoEndpoint, report), warnings),
  });
}

export function headerText(text: string, name: string, encoding: NameEncoding): string {
  const value = encodedForHeader(checkedText(text, name), name, encoding);
  if (value.length <= maxHeaderLength) return value;
  throw badUserInput(`${name} must be at most ${maxHeaderLength} bytes after its encoding for a header.`);
}

/**
 * Encodes a header value. Printable ASCII stays as it is; other text is encoded as FAPIAO_NAME_ENCODING selects, because
 * headers are ASCII (RFC 9110, section 5.5) and the service does not state an encoding.
 */
function encodedForHeader(text: string, name: string, encoding: NameEncoding): string {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text)) return text;
  switch (encoding) {
    case 'percent':
      return encodeURIComponent(text);
    case 'rfc2047':
      return `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
    case 'utf8':
      // Receivers remove blanks around a value (RFC 9110, section 5.5).
      if (/^ | $/.test(text)) throw badUserInput(`${name} must not begin or end with a blank.`);
      return Buffer.from(text).toString('latin1');
  }
}

function decodeAcknowledgement(wire: WireObject, warnings: readonly InputProblem[]) {
  return wire.finish({
    requestId: required(wire.id('requestId'), 'requestId'),
    message: wire.texts('message') ?? '',
    warnings,
  });
}
