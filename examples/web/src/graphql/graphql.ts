/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** The Fapiao for which to create a PDF document. */
export type CreateFapiaoInput = {
  /** The XML e-invoice. */
  document: FapiaoDocumentInput;
  /** Makes it safe to repeat this mutation: the same input with the same key is sent to the service once, and every repetition returns the first outcome. 8 to 128 letters, digits, `_`, `.`, `:` or `-`; kept for IDEMPOTENCY_TTL_MS, and by a gateway without Redis until it restarts. The same key with another input, or another token of the same API key, is IDEMPOTENCY_CONFLICT. */
  idempotencyKey?: string | null | undefined;
  /** Name of the document, sent as the header `name`: any text without control characters, at most 8,192 bytes once encoded. Printable ASCII that does not begin or end with a blank is sent unchanged; other text is encoded as `FAPIAO_NAME_ENCODING` selects, by default as percent-encoded UTF-8. Null or empty: the header is not sent. */
  name?: string | null | undefined;
  /** Queue for the document, sent as the header `qid` under the rules of `name`. */
  queueId?: string | number | null | undefined;
};

/** The group to create. */
export type CreateGroupInput = {
  /** Makes it safe to repeat this mutation: the same input with the same key is sent to the service once, and every repetition returns the first outcome. 8 to 128 letters, digits, `_`, `.`, `:` or `-`; kept for IDEMPOTENCY_TTL_MS, and by a gateway without Redis until it restarts. The same key with another input, or another token of the same API key, is IDEMPOTENCY_CONFLICT. */
  idempotencyKey?: string | null | undefined;
  /** Name of the group. Optional. */
  name?: string | null | undefined;
};

/** The documents to export. */
export type ExportDocumentsInput = {
  /** Identifiers of at most 1,000 documents: 1 to 19 digits, of which leading zeros are not sent, since ids are JSON integers. Duplicates are sent. Absent or null: no ids are sent, and the service decides which documents to export. An empty list is sent as an empty list. */
  documentIds?: Array<string | number> | null | undefined;
};

/** The XML e-invoice, at most `gatewayInfo.limits.maxXmlBytes` bytes: set exactly one of the two fields. It is forwarded byte for byte, because it is signed. It must be well-formed UTF-8 without a DOCTYPE, with the root `EInvoice` (any prefix) and its children Header, EInvoiceData, SellerAuthentication, TaxSupervisionInfo and TaxBureauSignature in this order. A file that declares another encoding, or is UTF-16 by its first bytes, is checked for a DOCTYPE alone, and forwarded with the warning `xml-not-checked`. Text that declares another encoding is checked, and sent as UTF-8 with this warning. */
export type FapiaoDocumentInput =
  {   /** The XML as a file of a multipart request. */
  file: File; xml?: never; }
  |  { file?: never;   /** The XML as text. */
  xml: string; };

/** An invoice, and the queue to import it into. */
export type ImportMalaysiaInvoiceInput = {
  /** Makes it safe to repeat this mutation: the same input with the same key is sent to the service once, and every repetition returns the first outcome. 8 to 128 letters, digits, `_`, `.`, `:` or `-`; kept for IDEMPOTENCY_TTL_MS, and by a gateway without Redis until it restarts. The same key with another input, or another token of the same API key, is IDEMPOTENCY_CONFLICT. */
  idempotencyKey?: string | null | undefined;
  /** The invoice. */
  invoice: MalaysiaInvoiceInput;
  /** Queue in which the document is created: sent as written, percent-encoded in the path. 1 to 128 characters, none of them `/`, `\`, `?`, `#` or a control character, and not `.` or `..`. */
  queueId: string | number;
};

/** A language of messages. */
export type Locale =
  /** English. */
  | 'EN'
  /** Spanish. */
  | 'ES'
  /** Malay. */
  | 'MS'
  /** Simplified Chinese. */
  | 'ZH';

/** An address; all fields are recommended. */
export type MalaysiaAddressDraftInput = {
  /** City. */
  city?: string | null | undefined;
  /** ISO 3166-1 alpha-3, e.g. `MYS`. */
  country?: string | null | undefined;
  /** Additional members, merged in as sent. One that is a field of the schema is sent instead of it (`extra-names-known-member`). */
  extra?: Record<string, unknown> | null | undefined;
  /** Street and number. */
  line1?: string | null | undefined;
  /** Five digits. */
  postcode?: string | null | undefined;
  /** The portal’s state code, `01` to `17`. */
  stateCode?: string | null | undefined;
};

/** An address; all fields are recommended. */
export type MalaysiaAddressInput = {
  /** City. */
  city?: string | null | undefined;
  /** ISO 3166-1 alpha-3, e.g. `MYS`. */
  country?: string | null | undefined;
  /** Additional members, merged in as sent. One that is a field of the schema is sent instead of it (`extra-names-known-member`). */
  extra?: Record<string, unknown> | null | undefined;
  /** Street and number. */
  line1?: string | null | undefined;
  /** Five digits. */
  postcode?: string | null | undefined;
  /** The portal’s state code, `01` to `17`. */
  stateCode?: string | null | undefined;
};

/** How to reach a party. */
export type MalaysiaContactDraftInput = {
  /** Additional members, merged in as sent. One that is a field of the schema is sent instead of it (`extra-names-known-member`). */
  extra?: Record<string, unknown> | null | undefined;
  /** Recommended: 8 to 20 digits, optionally after a `+`. */
  telephone?: string | null | undefined;
};

/** How to reach a party. */
export type MalaysiaContactInput = {
  /** Additional members, merged in as sent. One that is a field of the schema is sent instead of it (`extra-names-known-member`). */
  extra?: Record<string, unknown> | null | undefined;
  /** Recommended: 8 to 20 digits, optionally after a `+`. */
  telephone?: string | null | undefined;
};

/** The business scenario of an e-invoice; the self-billed ones are issued by the buyer. */
export type MalaysiaDocType =
  /** Reduces an invoice without returning money (02). Its amounts are negative. */
  | 'CREDIT_NOTE'
  /** Increases an invoice (03). Its amounts are positive. */
  | 'DEBIT_NOTE'
  /** An invoice (portal type 01). */
  | 'INVOICE'
  /** Confirms money returned to the buyer (04). Its amounts are negative when they reduce the original. */
  | 'REFUND_NOTE'
  /** A credit note issued by the buyer (12). */
  | 'SELF_BILLED_CREDIT_NOTE'
  /** A debit note issued by the buyer (13). */
  | 'SELF_BILLED_DEBIT_NOTE'
  /** An invoice issued by the buyer (11). */
  | 'SELF_BILLED_INVOICE'
  /** A refund note issued by the buyer (14). */
  | 'SELF_BILLED_REFUND_NOTE';

/** An invoice that is still being typed: MalaysiaInvoiceInput with the same names, in which every value may be missing, and amounts and enum values are any text. */
export type MalaysiaInvoiceDraftInput = {
  /** The buyer. */
  buyer?: MalaysiaPartyDraftInput | null | undefined;
  /** Document number in your own books. */
  docNumber?: string | null | undefined;
  /** A name of MalaysiaDocType; any text is accepted. */
  docType?: string | null | undefined;
  /** As in MalaysiaInvoiceInput. */
  extra?: Record<string, unknown> | null | undefined;
  /** The lines, in their order. */
  lines?: Array<MalaysiaLineDraftInput> | null | undefined;
  /** As in MalaysiaInvoiceInput. */
  reference?: MalaysiaReferenceDraftInput | null | undefined;
  /** The seller. */
  supplier?: MalaysiaPartyDraftInput | null | undefined;
  /** As in MalaysiaInvoiceInput. */
  totals?: Record<string, unknown> | null | undefined;
};

/** A Malaysian e-invoice or note. */
export type MalaysiaInvoiceInput = {
  /** The buyer; recommended. */
  buyer?: MalaysiaPartyInput | null | undefined;
  /** Document number in your own books. */
  docNumber: string;
  /** The business scenario. */
  docType: MalaysiaDocType;
  /** Additional members, merged in as sent. One that is a field of the schema is sent instead of it (`extra-names-known-member`). */
  extra?: Record<string, unknown> | null | undefined;
  /** The lines; at most 5,000 lines and taxes. */
  lines: Array<MalaysiaLineInput>;
  /** Required for credit, debit and refund notes, normal and self-billed. */
  reference?: MalaysiaReferenceInput | null | undefined;
  /** The seller; recommended. */
  supplier?: MalaysiaPartyInput | null | undefined;
  /** Totals of the document. The service’s document does not name the members: they are sent as given. Numbers follow the rule of Decimal. */
  totals?: Record<string, unknown> | null | undefined;
};

/** One line of an invoice that is still being typed. */
export type MalaysiaLineDraftInput = {
  /** The line’s amount without tax, as it was typed: any text, or a number. */
  amountExclTax?: string | number | null | undefined;
  /** As in MalaysiaLineInput. */
  extra?: Record<string, unknown> | null | undefined;
  /** The line’s taxes; absent or empty when it has none. null is a problem, since the import refuses it. */
  taxes?: Array<MalaysiaTaxDraftInput> | null | undefined;
};

/** One line of an invoice. */
export type MalaysiaLineInput = {
  /** The line’s amount without tax, with the sign of the document. */
  amountExclTax: string | number;
  /** Additional members, merged in as sent. One that is a field of the schema is sent instead of it (`extra-names-known-member`). */
  extra?: Record<string, unknown> | null | undefined;
  /** The line’s taxes; empty when it has none. */
  taxes?: Array<MalaysiaTaxInput>;
};

/** A supplier or a buyer. Both keep their meaning in self-billed documents. */
export type MalaysiaPartyDraftInput = {
  /** Recommended. */
  address?: MalaysiaAddressDraftInput | null | undefined;
  /** Recommended. */
  contact?: MalaysiaContactDraftInput | null | undefined;
  /** Additional members, merged in as sent. One that is a field of the schema is sent instead of it (`extra-names-known-member`). */
  extra?: Record<string, unknown> | null | undefined;
};

/** A supplier or a buyer. Both keep their meaning in self-billed documents. */
export type MalaysiaPartyInput = {
  /** Recommended. */
  address?: MalaysiaAddressInput | null | undefined;
  /** Recommended. */
  contact?: MalaysiaContactInput | null | undefined;
  /** Additional members, merged in as sent. One that is a field of the schema is sent instead of it (`extra-names-known-member`). */
  extra?: Record<string, unknown> | null | undefined;
};

/** The document that a note refers to. */
export type MalaysiaReferenceDraftInput = {
  /** Additional members, merged in as sent. One that is a field of the schema is sent instead of it (`extra-names-known-member`). */
  extra?: Record<string, unknown> | null | undefined;
  /** The `docNumber` of the original invoice, or self-billed invoice for a self-billed note. Required for the six notes (`reference-required`). */
  originalInvoiceCodeNumber?: string | null | undefined;
};

/** The document that a note refers to. */
export type MalaysiaReferenceInput = {
  /** Additional members, merged in as sent. One that is a field of the schema is sent instead of it (`extra-names-known-member`). */
  extra?: Record<string, unknown> | null | undefined;
  /** The `docNumber` of the original invoice, or self-billed invoice for a self-billed note. Required for the six notes (`reference-required`). */
  originalInvoiceCodeNumber?: string | null | undefined;
};

/** One tax of a line that is still being typed. */
export type MalaysiaTaxDraftInput = {
  /** The amount of the tax, as it was typed: any text, or a number. */
  amount?: string | number | null | undefined;
  /** As in MalaysiaTaxInput. */
  extra?: Record<string, unknown> | null | undefined;
  /** As in MalaysiaTaxInput. */
  otherType?: string | null | undefined;
  /** A name of MalaysiaTaxType; any text is accepted. */
  type?: string | null | undefined;
};

/** A tax of a line. Exactly one of `type` and `otherType` is required (`tax-type-one`). SST is refused in both (`tax-type-sst`). Tax is stated at lines only. */
export type MalaysiaTaxInput = {
  /** The amount of the tax, with the sign of the document. */
  amount: string | number;
  /** Additional members, merged in as sent. One that is a field of the schema is sent instead of it (`extra-names-known-member`). */
  extra?: Record<string, unknown> | null | undefined;
  /** The type of the tax in the service’s own words, if `type` has no value for it. */
  otherType?: string | null | undefined;
  /** The type of the tax. */
  type?: MalaysiaTaxType | null | undefined;
};

/** The two values that the service’s document names; a line without tax has an empty `taxes`. The ambiguous SST is not a value: it cannot be sent. */
export type MalaysiaTaxType =
  /** Sales tax. */
  | 'SALES_TAX'
  /** Service tax. */
  | 'SERVICE_TAX';

/** The outcome of one step. */
export type MexicoStepResult =
  /** The step failed; see `detail`. */
  | 'FAIL'
  /** The step passed. */
  | 'PASS'
  /** A value that the service’s interface does not name. Never treat it as PASS. */
  | 'UNKNOWN';

/** Identifies a document: set exactly one of the two fields. */
export type MexicoValidationReference =
  {   /** Identifier of the document: 1 to 19 digits, sent as written. */
  documentId: string | number; uuid?: never; }
  |  { documentId?: never;   /** CFDI Folio Fiscal, sent as written. Write it as on the document, in capitals: the service may be case-sensitive. */
  uuid: string; };

/** The outcome of a validation run. */
export type MexicoValidationResult =
  /** At least one step failed; see `invalidReason`. */
  | 'INVALID'
  /** A value that the service’s interface does not name. Never treat it as VALID. */
  | 'UNKNOWN'
  /** The document was valid at the time of `validatedAt`. */
  | 'VALID';

/** What a step checks. */
export type MexicoValidationStepName =
  /** Looks the document up at the tax authority: in force, cancelled or not found. */
  | 'AUTHORITY_STATUS'
  /** A step that the service’s interface does not name; `key` is its name at the service. */
  | 'OTHER'
  /** Checks the taxpayer ids and the list of article 69-B. */
  | 'RFC'
  /** Validates the document against the XML schema of the CFDI. */
  | 'SCHEMA';

/** Whether a problem stops the call. */
export type ProblemSeverity =
  /** Stops the call: nothing was sent, or the service refused the content. */
  | 'ERROR'
  /** Unusual, or against a recommendation. Never stops a call. */
  | 'WARNING';

/** An identity card to scan, and the queue for its document. */
export type ScanIdentityCardInput = {
  /** The image or document, at most `gatewayInfo.limits.maxUploadBytes` bytes. The service decides which file types it supports. */
  file: File;
  /** Whether the card is handwritten. */
  handwritten?: boolean;
  /** Makes it safe to repeat this mutation: the same input with the same key is sent to the service once, and every repetition returns the first outcome. 8 to 128 letters, digits, `_`, `.`, `:` or `-`; kept for IDEMPOTENCY_TTL_MS, and by a gateway without Redis until it restarts. The same key with another input, or another token of the same API key, is IDEMPOTENCY_CONFLICT. */
  idempotencyKey?: string | null | undefined;
  /** Queue for the document: any text without control characters, sent as it is. */
  queueId: string | number;
};

/** What is known about a write. */
export type WriteState =
  /** The write was carried out. */
  | 'COMPLETED'
  /** The write is running: ask again. */
  | 'IN_PROGRESS'
  /** The write may have been carried out: its response was lost, or it was sent with another token. Look at the service before using a new key. */
  | 'OUTCOME_UNKNOWN';

export type ExportDocumentsMutationVariables = Exact<{
  input: ExportDocumentsInput;
  locale: Locale;
}>;


export type ExportDocumentsMutation = { __typename: 'Mutation', exportDocuments:
    | { __typename: 'ExportResult', message: string, rowCount: number | null, csv: string, warnings: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
    | { __typename: 'InvalidInput', problems: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
   | null };

export type CreateFapiaoMutationVariables = Exact<{
  input: CreateFapiaoInput;
  locale: Locale;
}>;


export type CreateFapiaoMutation = { __typename: 'Mutation', createFapiao:
    | { __typename: 'FapiaoRequest', requestId: string, message: string, warnings: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
    | { __typename: 'InvalidInput', problems: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
   | null };

export type CreateGroupMutationVariables = Exact<{
  input: CreateGroupInput;
  locale: Locale;
}>;


export type CreateGroupMutation = { __typename: 'Mutation', createGroup:
    | { __typename: 'Group', id: string, name: string | null, createdAt: string | null, ownerId: string | null, queueCount: number | null, warnings: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
    | { __typename: 'InvalidInput', problems: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
   | null };

export type CreatedGroupFragment = { __typename: 'Group', id: string, name: string | null, createdAt: string | null, ownerId: string | null, queueCount: number | null, warnings: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> };

export type CheckMalaysiaInvoiceDraftQueryVariables = Exact<{
  invoice: MalaysiaInvoiceDraftInput;
  locale: Locale;
}>;


export type CheckMalaysiaInvoiceDraftQuery = { __typename: 'Query', checkMalaysiaInvoiceDraft: { __typename: 'MalaysiaInvoiceCheck', isValid: boolean, problems: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }>, totals: { __typename: 'MalaysiaComputedTotals', amountExclTax: string, taxAmount: string, amountInclTax: string } } | null };

export type ImportMalaysiaInvoiceMutationVariables = Exact<{
  input: ImportMalaysiaInvoiceInput;
  locale: Locale;
}>;


export type ImportMalaysiaInvoiceMutation = { __typename: 'Mutation', importMalaysiaInvoice:
    | { __typename: 'InvalidInput', problems: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
    | { __typename: 'MalaysiaImport', documentId: string, docNumber: string | null, message: string, warnings: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
   | null };

export type ImportMalaysiaInvoicesMutationVariables = Exact<{
  input: Array<ImportMalaysiaInvoiceInput> | ImportMalaysiaInvoiceInput;
  locale: Locale;
}>;


export type ImportMalaysiaInvoicesMutation = { __typename: 'Mutation', importMalaysiaInvoices: Array<
    | { __typename: 'InvalidInput', problems: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
    | { __typename: 'MalaysiaImport', documentId: string, docNumber: string | null, message: string, warnings: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
   | null> | null };

export type ImportedFragment = { __typename: 'MalaysiaImport', documentId: string, docNumber: string | null, message: string, warnings: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> };

export type MexicoValidationQueryVariables = Exact<{
  by: MexicoValidationReference;
}>;


export type MexicoValidationQuery = { __typename: 'Query', mexicoValidation: { __typename: 'MexicoValidation', documentId: string, uuid: string | null, result: MexicoValidationResult, rawResult: string, validatedAt: string | null, invalidReason: string | null, steps: Array<{ __typename: 'MexicoValidationStep', name: MexicoValidationStepName, key: string, result: MexicoStepResult, rawResult: string, detail: string | null }> } | null };

export type ValidationRunFragment = { __typename: 'MexicoValidation', documentId: string, uuid: string | null, result: MexicoValidationResult, rawResult: string, validatedAt: string | null, invalidReason: string | null, steps: Array<{ __typename: 'MexicoValidationStep', name: MexicoValidationStepName, key: string, result: MexicoStepResult, rawResult: string, detail: string | null }> };

export type ValidationStepFragment = { __typename: 'MexicoValidationStep', name: MexicoValidationStepName, key: string, result: MexicoStepResult, rawResult: string, detail: string | null };

export type KeepScanMutationVariables = Exact<{
  input: ScanIdentityCardInput;
  locale: Locale;
}>;


export type KeepScanMutation = { __typename: 'Mutation', scanIdentityCard:
    | { __typename: 'InvalidInput', problems: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
    | { __typename: 'ScanResult', id: string, documentId: string }
   | null };

export type ScanIdentityCardMutationVariables = Exact<{
  input: ScanIdentityCardInput;
  locale: Locale;
}>;


export type ScanIdentityCardMutation = { __typename: 'Mutation', scanIdentityCard:
    | { __typename: 'InvalidInput', problems: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
    | { __typename: 'ScanResult', documentId: string, card: { __typename: 'IdentityCard', fields: Array<{ __typename: 'ExtractedField', key: string, label: string | null, type: string | null, text: string | null, date: string | null, matches: Array<{ __typename: 'FieldMatch', page: number | null, keywordBox: { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, text: string, page: number | null } | null, valueBox: { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, text: string, page: number | null } | null }> }>, pageSizes: Array<{ __typename: 'PageSize', first: number, second: number }>, textBoxes: Array<{ __typename: 'TextBox', left: number, top: number, right: number, bottom: number, text: string, page: number | null }> }, warnings: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
   | null };

export type ScanFragment = { __typename: 'ScanResult', documentId: string, card: { __typename: 'IdentityCard', fields: Array<{ __typename: 'ExtractedField', key: string, label: string | null, type: string | null, text: string | null, date: string | null, matches: Array<{ __typename: 'FieldMatch', page: number | null, keywordBox: { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, text: string, page: number | null } | null, valueBox: { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, text: string, page: number | null } | null }> }>, pageSizes: Array<{ __typename: 'PageSize', first: number, second: number }>, textBoxes: Array<{ __typename: 'TextBox', left: number, top: number, right: number, bottom: number, text: string, page: number | null }> }, warnings: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> };

export type CardFragment = { __typename: 'IdentityCard', fields: Array<{ __typename: 'ExtractedField', key: string, label: string | null, type: string | null, text: string | null, date: string | null, matches: Array<{ __typename: 'FieldMatch', page: number | null, keywordBox: { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, text: string, page: number | null } | null, valueBox: { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, text: string, page: number | null } | null }> }>, pageSizes: Array<{ __typename: 'PageSize', first: number, second: number }>, textBoxes: Array<{ __typename: 'TextBox', left: number, top: number, right: number, bottom: number, text: string, page: number | null }> };

export type CardFieldFragment = { __typename: 'ExtractedField', key: string, label: string | null, type: string | null, text: string | null, date: string | null, matches: Array<{ __typename: 'FieldMatch', page: number | null, keywordBox: { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, text: string, page: number | null } | null, valueBox: { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, text: string, page: number | null } | null }> };

export type CardBoxFragment = { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, text: string, page: number | null };

export type ScanOutcomeQueryVariables = Exact<{
  idempotencyKey: string;
  locale: Locale;
}>;


export type ScanOutcomeQuery = { __typename: 'Query', writeOutcome: { __typename: 'WriteOutcome', state: WriteState, result:
      | { __typename: 'FapiaoRequest' }
      | { __typename: 'Group' }
      | { __typename: 'MalaysiaImport' }
      | { __typename: 'ScanResult', documentId: string, card: { __typename: 'IdentityCard', fields: Array<{ __typename: 'ExtractedField', key: string, label: string | null, type: string | null, text: string | null, date: string | null, matches: Array<{ __typename: 'FieldMatch', page: number | null, keywordBox: { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, text: string, page: number | null } | null, valueBox: { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, text: string, page: number | null } | null }> }>, pageSizes: Array<{ __typename: 'PageSize', first: number, second: number }>, textBoxes: Array<{ __typename: 'TextBox', left: number, top: number, right: number, bottom: number, text: string, page: number | null }> }, warnings: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
     | null } | null };

export type RefusedFragment = { __typename: 'InvalidInput', problems: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> };

export type ProblemFragment = { __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null };

export const ProblemFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InputProblem"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}}]} as unknown as DocumentNode<ProblemFragment, unknown>;
export const CreatedGroupFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CreatedGroup"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"ownerId"}},{"kind":"Field","name":{"kind":"Name","value":"queueCount"}},{"kind":"Field","name":{"kind":"Name","value":"warnings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InputProblem"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}}]} as unknown as DocumentNode<CreatedGroupFragment, unknown>;
export const ImportedFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Imported"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MalaysiaImport"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"documentId"}},{"kind":"Field","name":{"kind":"Name","value":"docNumber"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"warnings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InputProblem"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}}]} as unknown as DocumentNode<ImportedFragment, unknown>;
export const ValidationStepFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ValidationStep"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MexicoValidationStep"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"result"}},{"kind":"Field","name":{"kind":"Name","value":"rawResult"}},{"kind":"Field","name":{"kind":"Name","value":"detail"}}]}}]} as unknown as DocumentNode<ValidationStepFragment, unknown>;
export const ValidationRunFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ValidationRun"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MexicoValidation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"documentId"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"result"}},{"kind":"Field","name":{"kind":"Name","value":"rawResult"}},{"kind":"Field","name":{"kind":"Name","value":"validatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"invalidReason"}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ValidationStep"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ValidationStep"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MexicoValidationStep"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"result"}},{"kind":"Field","name":{"kind":"Name","value":"rawResult"}},{"kind":"Field","name":{"kind":"Name","value":"detail"}}]}}]} as unknown as DocumentNode<ValidationRunFragment, unknown>;
export const CardBoxFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CardBox"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TextBox"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"left"}},{"kind":"Field","name":{"kind":"Name","value":"top"}},{"kind":"Field","name":{"kind":"Name","value":"right"}},{"kind":"Field","name":{"kind":"Name","value":"bottom"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"page"}}]}}]} as unknown as DocumentNode<CardBoxFragment, unknown>;
export const CardFieldFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CardField"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ExtractedField"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"date"}},{"kind":"Field","name":{"kind":"Name","value":"matches"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"page"}},{"kind":"Field","name":{"kind":"Name","value":"keywordBox"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"CardBox"}}]}},{"kind":"Field","name":{"kind":"Name","value":"valueBox"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"CardBox"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CardBox"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TextBox"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"left"}},{"kind":"Field","name":{"kind":"Name","value":"top"}},{"kind":"Field","name":{"kind":"Name","value":"right"}},{"kind":"Field","name":{"kind":"Name","value":"bottom"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"page"}}]}}]} as unknown as DocumentNode<CardFieldFragment, unknown>;
export const CardFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Card"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdentityCard"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"fields"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"CardField"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageSizes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"first"}},{"kind":"Field","name":{"kind":"Name","value":"second"}}]}},{"kind":"Field","name":{"kind":"Name","value":"textBoxes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"CardBox"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CardBox"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TextBox"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"left"}},{"kind":"Field","name":{"kind":"Name","value":"top"}},{"kind":"Field","name":{"kind":"Name","value":"right"}},{"kind":"Field","name":{"kind":"Name","value":"bottom"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"page"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CardField"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ExtractedField"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"date"}},{"kind":"Field","name":{"kind":"Name","value":"matches"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"page"}},{"kind":"Field","name":{"kind":"Name","value":"keywordBox"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"CardBox"}}]}},{"kind":"Field","name":{"kind":"Name","value":"valueBox"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"CardBox"}}]}}]}}]}}]} as unknown as DocumentNode<CardFragment, unknown>;
export const ScanFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Scan"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ScanResult"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"documentId"}},{"kind":"Field","name":{"kind":"Name","value":"card"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Card"}}]}},{"kind":"Field","name":{"kind":"Name","value":"warnings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CardBox"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TextBox"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"left"}},{"kind":"Field","name":{"kind":"Name","value":"top"}},{"kind":"Field","name":{"kind":"Name","value":"right"}},{"kind":"Field","name":{"kind":"Name","value":"bottom"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"page"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CardField"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ExtractedField"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"date"}},{"kind":"Field","name":{"kind":"Name","value":"matches"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"page"}},{"kind":"Field","name":{"kind":"Name","value":"keywordBox"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"CardBox"}}]}},{"kind":"Field","name":{"kind":"Name","value":"valueBox"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"CardBox"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Card"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdentityCard"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"fields"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"CardField"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageSizes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"first"}},{"kind":"Field","name":{"kind":"Name","value":"second"}}]}},{"kind":"Field","name":{"kind":"Name","value":"textBoxes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"CardBox"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InputProblem"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}}]} as unknown as DocumentNode<ScanFragment, unknown>;
export const RefusedFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Refused"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InputProblem"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}}]} as unknown as DocumentNode<RefusedFragment, unknown>;
export const ExportDocumentsDocument = {"__meta__":{"hash":"sha256:c999b16ae7d04e3de45ca7a588c8f9d78b5333acc4684c78be08f2c41672a8f3"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ExportDocuments"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ExportDocumentsInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"locale"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Locale"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"exportDocuments"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ExportResult"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"rowCount"}},{"kind":"Field","name":{"kind":"Name","value":"csv"}},{"kind":"Field","name":{"kind":"Name","value":"warnings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Refused"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InputProblem"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Refused"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]} as unknown as DocumentNode<ExportDocumentsMutation, ExportDocumentsMutationVariables>;
export const CreateFapiaoDocument = {"__meta__":{"hash":"sha256:469dac27a7af5c68d761f075ae6fb3a2a96e5a88ac587855c44cdd210e7386c1"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateFapiao"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateFapiaoInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"locale"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Locale"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"createFapiao"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"FapiaoRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"requestId"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"warnings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Refused"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InputProblem"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Refused"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]} as unknown as DocumentNode<CreateFapiaoMutation, CreateFapiaoMutationVariables>;
export const CreateGroupDocument = {"__meta__":{"hash":"sha256:3926c4c7ed9e4e222a2c287c75353aff61ce80862d03842215908c6ca8e1fe9a"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateGroup"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateGroupInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"locale"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Locale"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"createGroup"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"CreatedGroup"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Refused"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InputProblem"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CreatedGroup"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"ownerId"}},{"kind":"Field","name":{"kind":"Name","value":"queueCount"}},{"kind":"Field","name":{"kind":"Name","value":"warnings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Refused"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]} as unknown as DocumentNode<CreateGroupMutation, CreateGroupMutationVariables>;
export const CheckMalaysiaInvoiceDraftDocument = {"__meta__":{"hash":"sha256:7e545c0b432baa53fa89fef38a1e1bc35c9ccafbf8135316ba22af5e7be24252"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CheckMalaysiaInvoiceDraft"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"invoice"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"MalaysiaInvoiceDraftInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"locale"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Locale"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"checkMalaysiaInvoiceDraft"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"invoice"},"value":{"kind":"Variable","name":{"kind":"Name","value":"invoice"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"isValid"}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totals"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"amountExclTax"}},{"kind":"Field","name":{"kind":"Name","value":"taxAmount"}},{"kind":"Field","name":{"kind":"Name","value":"amountInclTax"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InputProblem"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}}]} as unknown as DocumentNode<CheckMalaysiaInvoiceDraftQuery, CheckMalaysiaInvoiceDraftQueryVariables>;
export const ImportMalaysiaInvoiceDocument = {"__meta__":{"hash":"sha256:0d5f90941d3c34c9c0eb74513b0f82c3bb4520eb48060f0944bd3b376b9b3e78"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ImportMalaysiaInvoice"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ImportMalaysiaInvoiceInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"locale"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Locale"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"importMalaysiaInvoice"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Imported"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Refused"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InputProblem"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Imported"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MalaysiaImport"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"documentId"}},{"kind":"Field","name":{"kind":"Name","value":"docNumber"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"warnings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Refused"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]} as unknown as DocumentNode<ImportMalaysiaInvoiceMutation, ImportMalaysiaInvoiceMutationVariables>;
export const ImportMalaysiaInvoicesDocument = {"__meta__":{"hash":"sha256:fe08c73436e31661df0d988a060d9c306ec2ceb22a8971b1ba9f7d891d80cd76"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ImportMalaysiaInvoices"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ImportMalaysiaInvoiceInput"}}}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"locale"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Locale"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"importMalaysiaInvoices"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Imported"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Refused"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InputProblem"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Imported"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MalaysiaImport"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"documentId"}},{"kind":"Field","name":{"kind":"Name","value":"docNumber"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"warnings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Refused"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]} as unknown as DocumentNode<ImportMalaysiaInvoicesMutation, ImportMalaysiaInvoicesMutationVariables>;
export const MexicoValidationDocument = {"__meta__":{"hash":"sha256:359fbe94eee027e2f9389e800022be9e849430a04dbe6806279ba8c609829756"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MexicoValidation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"by"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"MexicoValidationReference"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"mexicoValidation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"Variable","name":{"kind":"Name","value":"by"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ValidationRun"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ValidationStep"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MexicoValidationStep"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"result"}},{"kind":"Field","name":{"kind":"Name","value":"rawResult"}},{"kind":"Field","name":{"kind":"Name","value":"detail"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ValidationRun"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MexicoValidation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"documentId"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"result"}},{"kind":"Field","name":{"kind":"Name","value":"rawResult"}},{"kind":"Field","name":{"kind":"Name","value":"validatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"invalidReason"}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ValidationStep"}}]}}]}}]} as unknown as DocumentNode<MexicoValidationQuery, MexicoValidationQueryVariables>;
export const KeepScanDocument = {"__meta__":{"hash":"sha256:bd33b71ac52a8cdf18887c4b724d2b8d453e61b414583c2f49c9fc0d5ab702cf"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"KeepScan"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ScanIdentityCardInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"locale"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Locale"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"scanIdentityCard"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ScanResult"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"documentId"}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Refused"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InputProblem"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Refused"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]} as unknown as DocumentNode<KeepScanMutation, KeepScanMutationVariables>;
export const ScanIdentityCardDocument = {"__meta__":{"hash":"sha256:ab1b6910985d476283c5338aa9a148e0757d175fe09655c41221d7dbb6a5e479"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ScanIdentityCard"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ScanIdentityCardInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"locale"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Locale"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"scanIdentityCard"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ScanResult"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Scan"}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Refused"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CardBox"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TextBox"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"left"}},{"kind":"Field","name":{"kind":"Name","value":"top"}},{"kind":"Field","name":{"kind":"Name","value":"right"}},{"kind":"Field","name":{"kind":"Name","value":"bottom"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"page"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CardField"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ExtractedField"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"date"}},{"kind":"Field","name":{"kind":"Name","value":"matches"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"page"}},{"kind":"Field","name":{"kind":"Name","value":"keywordBox"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"CardBox"}}]}},{"kind":"Field","name":{"kind":"Name","value":"valueBox"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"CardBox"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Card"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdentityCard"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"fields"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"CardField"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageSizes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"first"}},{"kind":"Field","name":{"kind":"Name","value":"second"}}]}},{"kind":"Field","name":{"kind":"Name","value":"textBoxes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"CardBox"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InputProblem"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Scan"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ScanResult"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"documentId"}},{"kind":"Field","name":{"kind":"Name","value":"card"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Card"}}]}},{"kind":"Field","name":{"kind":"Name","value":"warnings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Refused"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]} as unknown as DocumentNode<ScanIdentityCardMutation, ScanIdentityCardMutationVariables>;
export const ScanOutcomeDocument = {"__meta__":{"hash":"sha256:093478cae363bfb4f84fe3c46629e4023daa204aeea085f47b69439eb0770c9b"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ScanOutcome"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"locale"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Locale"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"writeOutcome"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"result"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ScanResult"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Scan"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CardBox"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TextBox"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"left"}},{"kind":"Field","name":{"kind":"Name","value":"top"}},{"kind":"Field","name":{"kind":"Name","value":"right"}},{"kind":"Field","name":{"kind":"Name","value":"bottom"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"page"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CardField"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ExtractedField"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"date"}},{"kind":"Field","name":{"kind":"Name","value":"matches"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"page"}},{"kind":"Field","name":{"kind":"Name","value":"keywordBox"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"CardBox"}}]}},{"kind":"Field","name":{"kind":"Name","value":"valueBox"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"CardBox"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Card"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdentityCard"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"fields"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"CardField"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageSizes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"first"}},{"kind":"Field","name":{"kind":"Name","value":"second"}}]}},{"kind":"Field","name":{"kind":"Name","value":"textBoxes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"CardBox"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InputProblem"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Scan"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ScanResult"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"documentId"}},{"kind":"Field","name":{"kind":"Name","value":"card"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Card"}}]}},{"kind":"Field","name":{"kind":"Name","value":"warnings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]} as unknown as DocumentNode<ScanOutcomeQuery, ScanOutcomeQueryVariables>;