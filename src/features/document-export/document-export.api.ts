import type { InputProblem } from '../../input-problems.ts';
import { integerId } from '../../upstream/checked-input.ts';
import type { Upstream } from '../../upstream/client.ts';
import { readEnvelope, required, type WireObject } from '../../upstream/decode.ts';
import type { Endpoint } from '../../upstream/endpoint.ts';

/** docs/service.md, "Export documents". */
export const exportEndpoint = {
  name: 'exportDocuments',
  method: 'POST',
  path: '/v1/documents/export',
  requiredCredentials: ['apiKey', 'authorization'],
  kind: 'write',
  envelope: 'exportDocumentByDocIds',
  inputPaths: { docIds: ['documentIds'] },
} as const satisfies Endpoint;

export type DocumentExport = ReturnType<typeof decodeExport>;

/** Exports documents. `documentIds` undefined: the request has no ids, and the service decides which documents to export. */
export function exportDocuments(
  upstream: Upstream,
  documentIds: readonly string[] | undefined,
): Promise<DocumentExport> {
  const docIds = documentIds?.map((id, index) => integerId(id, `documentIds[${index}]`));
  return upstream.call({
    endpoint: exportEndpoint,
    // Joined as text: the ids are checked, and `JSON.stringify` of exact integers takes six times as long.
    body: docIds ? `{"docIds":[${docIds.join(',')}]}` : '{}',
    decode: (body, report, warnings) => decodeExport(readEnvelope(body, exportEndpoint, report), warnings),
  });
}

function decodeExport(wire: WireObject, warnings: readonly InputProblem[]) {
  return wire.finish({
    message: wire.texts('message') ?? '',
    /** The delimited text, unchanged. */
    csv: required(wire.string('data'), 'data'),
    warnings,
  });
}
