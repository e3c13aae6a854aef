/** The part of the schema that the workloads use, in SDL, for the peers. */
import { columns } from '../../src/features/document-export/documented-columns.ts';

export const typeDefs = `
  type Query {
    mexicoValidation(by: MexicoValidationReference!): MexicoValidation
  }
  input MexicoValidationReference { documentId: ID, uuid: ID }
  enum MexicoValidationResult { VALID INVALID UNKNOWN }
  enum MexicoStepResult { PASS FAIL UNKNOWN }
  enum MexicoValidationStepName { SCHEMA AUTHORITY_STATUS RFC OTHER }
  type MexicoValidation {
    documentId: ID!
    uuid: ID!
    result: MexicoValidationResult!
    rawResult: String!
    validatedAt: String!
    invalidReason: String
    steps: [MexicoValidationStep!]!
  }
  type MexicoValidationStep {
    name: MexicoValidationStepName!
    key: String!
    result: MexicoStepResult!
    rawResult: String!
    detail: String
  }

  type Mutation {
    createGroup(input: CreateGroupInput!): CreateGroupResult
    exportDocuments(input: ExportDocumentsInput!): ExportDocumentsResult
    scanIdentityCard(input: ScanIdentityCardInput!): ScanIdentityCardResult
  }
  type InvalidInput { message: String! problems: [InputProblem!]! }
  type InputProblem { rule: String! message: String! path: [String!]! }

  input CreateGroupInput { name: String }
  union CreateGroupResult = Group | InvalidInput
  type Group {
    id: ID!
    name: String
    createdAt: String
    ownerId: ID
    queueCount: Int
    queues: [Queue!]!
  }
  type Queue { id: ID, name: String }

  input ExportDocumentsInput { documentIds: [ID!] }
  union ExportDocumentsResult = ExportResult | InvalidInput
  type ExportResult { csv: String!, rows: [ExportedDocument!]! }
  type ExportedDocument { ${columns.map(({ field }) => `${field}: String`).join(' ')} }

  scalar Upload
  input ScanIdentityCardInput { file: Upload!, queueId: ID! }
  union ScanIdentityCardResult = ScanResult | InvalidInput
  type ScanResult { documentId: ID!, status: String, card: IdentityCard! }
  type IdentityCard {
    name: ExtractedField
    nricNumber: ExtractedField
    dateOfBirth: ExtractedField
    gender: ExtractedField
    nationality: ExtractedField
    issueDate: ExtractedField
    expiryDate: ExtractedField
    fields: [ExtractedField!]!
    pageCount: Int
    pageSizes: [PageSize!]!
    textBoxes: [TextBox!]!
  }
  type ExtractedField {
    key: String!
    label: String
    category: String
    type: String
    text: String
    date: String
    matches: [FieldMatch!]!
  }
  type FieldMatch { text: String, page: Int, keywordBox: TextBox, valueBox: TextBox }
  type PageSize { first: Float!, second: Float! }
  type TextBox {
    left: Float!
    top: Float!
    right: Float!
    bottom: Float!
    centerX: Float!
    centerY: Float!
    text: String!
    page: Int
  }
`;
