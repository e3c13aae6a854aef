/** The resolvers of the peers: the same for all, over the HTTP client of each peer. */
import { rowsOf } from './rows.ts';
import {
  groupOf,
  scanOf,
  validationOf,
  type WireExport,
  type WireGroup,
  type WireScan,
  type WireValidation,
} from './shapes.ts';

export const mexicoPath = '/v2/einvoice/mexico/status/';

/** The context of a peer, which contains the caller's credentials. */
export interface Service<File> {
  validation(documentId: string): Promise<WireValidation>;
  post(path: string, body: object): Promise<unknown>;
  scan?(file: File, queueId: string): Promise<unknown>;
}

interface Context<File> {
  readonly service: Service<File>;
}

export function resolversFor<File>() {
  return {
    Query: {
      mexicoValidation: async (
        _root: unknown,
        { by }: { by: { documentId: string } },
        { service }: Context<File>,
      ) => validationOf(await service.validation(by.documentId)),
    },
    Mutation: {
      createGroup: async (
        _root: unknown,
        { input }: { input: { name: string } },
        { service }: Context<File>,
      ) => groupOf((await service.post('/v1/groups', { name: input.name })) as WireGroup),
      exportDocuments: async (
        _root: unknown,
        { input }: { input: { documentIds: string[] } },
        { service }: Context<File>,
      ) => {
        const docIds = input.documentIds.map(Number);
        const answer = (await service.post('/v1/documents/export', { docIds })) as WireExport;
        const csv = answer.exportDocumentByDocIds.data;
        return {
          __typename: 'ExportResult',
          csv,
          // A getter, because graphql-jit does not call functions.
          get rows() {
            return rowsOf(csv);
          },
        };
      },
      scanIdentityCard: async (
        _root: unknown,
        { input }: { input: { file: File; queueId: string } },
        { service }: Context<File>,
      ) => scanOf((await service.scan?.(input.file, input.queueId)) as WireScan),
    },
  };
}
