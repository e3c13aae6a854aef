/** W3 to W5: a group, a scan, an export. */
import { columns } from '../../src/features/document-export/documented-columns.ts';
import { exportAnswer, exportRowCount, firstDocumentId, groupAnswer } from '../upstream/answers.ts';
import { everyPeer, type HttpWorkload, jsonRequests, type Requests } from './workload.ts';

function groupRequests(inputType: string, selection: string): Requests {
  const query = `mutation CreateGroup($input: ${inputType}!) {
  createGroup(input: $input) ${selection}
}`;
  return jsonRequests(
    Array.from({ length: 1_000 }, (_, index) => ({
      query,
      variables: { input: { name: `Group ${index}` } },
    })),
  );
}

export const w3: HttpWorkload = {
  name: 'W3',
  title: '`createGroup`',
  requests: groupRequests(
    'CreateGroupInput',
    `{
    __typename
    ... on Group { id name createdAt ownerId queueCount queues { id name } }
    ... on InvalidInput { message problems { rule message path } }
  }`,
  ),
  wire: {
    requests: groupRequests(
      'GroupInput',
      '{ createGroup { createdAt id name queueCount queues { id name } uid } }',
    ),
    expected: (index) => ({ createGroup: groupAnswer(`Group ${index}`) }),
  },
  contenders: everyPeer.filter((name) => name !== 'floor'),
  connections: 32,
  requestsPerSecond: 3_000,
  goals: [{ name: 'G3', factor: 1.3, of: 'limit' }],
};

const scanQuery = `mutation ScanIdentityCard($input: ScanIdentityCardInput!) {
  scanIdentityCard(input: $input) {
    __typename
    ... on ScanResult {
      documentId
      status
      card {
        name { ...Field }
        nricNumber { ...Field }
        dateOfBirth { ...Field }
        gender { ...Field }
        nationality { ...Field }
        issueDate { ...Field }
        expiryDate { ...Field }
        fields { key text }
        pageCount
        pageSizes { first second }
        textBoxes { ...Box }
      }
    }
    ... on InvalidInput { message problems { rule message path } }
  }
}
fragment Field on ExtractedField {
  key
  label
  category
  type
  text
  date
  matches { text page keywordBox { ...Box } valueBox { ...Box } }
}
fragment Box on TextBox { left top right bottom centerX centerY text page }`;

const boundary = 'bench-7f3a9c';

/** The bytes before and after the file of a multipart request (GraphQL multipart request specification). */
export const scanUpload = {
  contentType: `multipart/form-data; boundary=${boundary}`,
  head: [
    part('operations'),
    JSON.stringify({ query: scanQuery, variables: { input: { file: null, queueId: '7' } } }),
    `\r\n${part('map')}{"0":["variables.input.file"]}`,
    `\r\n${part('0"; filename="card.png', 'image/png')}`,
  ].join(''),
  tail: `\r\n--${boundary}--\r\n`,
} as const;

function part(name: string, contentType?: string): string {
  const type = contentType ? `\r\ncontent-type: ${contentType}` : '';
  return `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${type}\r\n\r\n`;
}

/** Bytes like those of a picture: every value occurs, and the boundary does not. */
export function pictureBytes(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let index = 0; index < length; index += 1)
    bytes[index] = (Math.imul(index, 2_654_435_761) >>> 13) & 0xff;
  return bytes;
}

/** One upload of a file with this number of bytes. */
export function scanRequests(length: number): Requests {
  const { contentType, head, tail } = scanUpload;
  const body = Buffer.concat([Buffer.from(head), pictureBytes(length), Buffer.from(tail)]);
  return { contentType, bodies: [body] };
}

export const w4: HttpWorkload = {
  name: 'W4',
  title: '`scanIdentityCard`: a file of 2 MB, 300 text boxes, full selection',
  requests: scanRequests(2_000_000),
  contenders: ['gateway', 'mercurius', 'yoga'],
  connections: 8,
  leastSeconds: 2,
  goals: [{ name: 'G4', factor: 1.3, of: 'limit' }],
};

const documentIds = Array.from({ length: exportRowCount }, (_, index) => String(firstDocumentId + index));

function exportRequests(selection: string): Requests {
  const query = `mutation ExportDocuments($input: ExportDocumentsInput!) {
  exportDocuments(input: $input) { ... on ExportResult ${selection} }
}`;
  return jsonRequests([{ query, variables: { input: { documentIds } } }]);
}

const wireExport = exportAnswer() as { exportDocumentByDocIds: { data: string } };

export const w5a: HttpWorkload = {
  name: 'W5a',
  title: '`exportDocuments` of 500 rows, `csv` alone',
  requests: exportRequests('{ csv }'),
  wire: {
    requests: jsonRequests([
      {
        query: `mutation ExportDocuments($input: ExportInput!) {
  exportDocuments(input: $input) { exportDocumentByDocIds { data } }
}`,
        variables: { input: { docIds: documentIds.map(Number) } },
      },
    ]),
    expected: () => ({
      exportDocuments: { exportDocumentByDocIds: { data: wireExport.exportDocumentByDocIds.data } },
    }),
  },
  contenders: everyPeer.filter((name) => name !== 'floor'),
  connections: 16,
  goals: [{ name: 'G5', factor: 1.1, of: 'limit' }],
};

export const w5b: HttpWorkload = {
  name: 'W5b',
  title: '`exportDocuments` of 500 rows, every column of every row',
  requests: exportRequests(`{ rows { ${columns.map(({ field }) => field).join(' ')} } }`),
  contenders: ['gateway', 'mercurius', 'yoga', 'apollo'],
  connections: 8,
  leastSeconds: 3,
  goals: [{ name: 'G5', factor: 0.45, of: 'limit' }],
};
