/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** The Fapiao for which to create a PDF document. */
export type CreateFapiaoInput = {
  /** The XML e-invoice. */
  document: FapiaoDocumentInput;
  /** Makes it safe to repeat this mutation: the same input with the same key is sent to the service once, and every repetition returns the first outcome. 8 to 128 letters, digits, `_`, `.`, `:` or `-`; kept for IDEMPOTENCY_TTL_MS. The same key with another input or another token is IDEMPOTENCY_CONFLICT. */
  idempotencyKey?: string | null | undefined;
  /** Name of the document, sent as the header `name`: any text without control characters, at most 8,192 bytes once encoded. Printable ASCII is sent unchanged; other text is encoded as `FAPIAO_NAME_ENCODING` selects, by default as percent-encoded UTF-8. */
  name?: string | null | undefined;
  /** Queue for the document, sent as the header `qid` under the rules of `name`. */
  queueId?: string | number | null | undefined;
};

/** The group to create. */
export type CreateGroupInput = {
  /** Makes it safe to repeat this mutation: the same input with the same key is sent to the service once, and every repetition returns the first outcome. 8 to 128 letters, digits, `_`, `.`, `:` or `-`; kept for IDEMPOTENCY_TTL_MS. The same key with another input or another token is IDEMPOTENCY_CONFLICT. */
  idempotencyKey?: string | null | undefined;
  /** Name of the group. Optional. */
  name?: string | null | undefined;
};

/** The documents to export. */
export type ExportDocumentsInput = {
  /** Identifiers of at most 1,000 documents: 1 to 19 digits without leading zeros, since they are sent as JSON integers. Duplicates are sent. Absent or null: no ids are sent, and the service decides which documents to export. An empty list is sent as an empty list. */
  documentIds?: Array<string | number> | null | undefined;
};

/** The XML e-invoice: set exactly one of the two fields. It is forwarded byte for byte, because it is signed. It must be well-formed UTF-8 without a DOCTYPE, with the root `EInvoice` (any prefix) and its five children in order. A file that declares another encoding is forwarded without these checks, with the warning `xml-not-checked`. */
export type FapiaoDocumentInput =
  {   /** The XML as a file of a multipart request. */
  file: null; xml?: never; }
  |  { file?: never;   /** The XML as text. */
  xml: string; };

/** An invoice, and the queue to import it into. */
export type ImportMalaysiaInvoiceInput = {
  /** Makes it safe to repeat this mutation: the same input with the same key is sent to the service once, and every repetition returns the first outcome. 8 to 128 letters, digits, `_`, `.`, `:` or `-`; kept for IDEMPOTENCY_TTL_MS. The same key with another input or another token is IDEMPOTENCY_CONFLICT. */
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
  /** The `docNumber` of the original invoice, self-billed for a self-billed note. Required for the six notes (`reference-required`). */
  originalInvoiceCodeNumber?: string | null | undefined;
};

/** The document that a note refers to. */
export type MalaysiaReferenceInput = {
  /** Additional members, merged in as sent. One that is a field of the schema is sent instead of it (`extra-names-known-member`). */
  extra?: Record<string, unknown> | null | undefined;
  /** The `docNumber` of the original invoice, self-billed for a self-billed note. Required for the six notes (`reference-required`). */
  originalInvoiceCodeNumber?: string | null | undefined;
};

/** The state of a document in the tax portal’s process. */
export type MalaysiaState =
  /** Cancelled at the portal after it was accepted. Final. */
  | 'CANCELLED'
  /** Failed in the service’s own processing; `message` says why. Final. */
  | 'FAILED'
  /** Accepted by the service, not yet submitted to the portal. */
  | 'QUEUED'
  /** Refused by the portal; `message` says why. Final. */
  | 'REJECTED'
  /** Submitted to the portal, which has not decided yet. */
  | 'SUBMITTED'
  /** A state that no public source documents (see `rawState`), or none received yet. */
  | 'UNKNOWN'
  /** Accepted by the portal. Final. */
  | 'VALIDATED';

/** One tax of a line that is still being typed. */
export type MalaysiaTaxDraftInput = {
  /** Its amount, as it was typed: any text, or a number. */
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
  /** Its amount, with the sign of the document. */
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
  /** All steps of the run passed, at the time of `validatedAt`. */
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
  file: null;
  /** Whether the card is handwritten. */
  handwritten?: boolean;
  /** Makes it safe to repeat this mutation: the same input with the same key is sent to the service once, and every repetition returns the first outcome. 8 to 128 letters, digits, `_`, `.`, `:` or `-`; kept for IDEMPOTENCY_TTL_MS. The same key with another input or another token is IDEMPOTENCY_CONFLICT. */
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
  locale?: Locale | null | undefined;
}>;


export type ExportDocumentsMutation = { exportDocuments:
    | { __typename: 'ExportResult', message: string, csv: string, columns: Array<string> | null, rowCount: number | null, rows: Array<{ name: string | null, idNumber: string | null, fileName: string | null, registrationDate: string | null, expiryDate: string | null, nationality: string | null }> | null }
    | { __typename: 'InvalidInput', message: string, problems: Array<{ rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
   | null };

export type CreateFapiaoMutationVariables = Exact<{
  input: CreateFapiaoInput;
  locale?: Locale | null | undefined;
}>;


export type CreateFapiaoMutation = { createFapiao:
    | { __typename: 'FapiaoRequest', id: string, requestId: string, message: string, warnings: Array<{ rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
    | { __typename: 'InvalidInput', message: string, problems: Array<{ rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
   | null };

export type GatewayInfoQueryVariables = Exact<{ [key: string]: never; }>;


export type GatewayInfoQuery = { gatewayInfo: { limits: { maxUploadBytes: number, maxXmlBytes: number, maxRequestBytes: number, maxBatchSize: number, maxDocumentIds: number, maxOperationCost: number, maxOperationDepth: number }, rules: Array<{ rule: string, severity: ProblemSeverity, appliesTo: string, summary: string }> } };

export type CreateGroupMutationVariables = Exact<{
  input: CreateGroupInput;
  locale?: Locale | null | undefined;
}>;


export type CreateGroupMutation = { createGroup:
    | { __typename: 'Group', id: string, name: string | null, createdAt: string | null, ownerId: string | null, queueCount: number | null, queues: Array<{ id: string | null, name: string | null, raw: Record<string, unknown> }> }
    | { __typename: 'InvalidInput', message: string, problems: Array<{ rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
   | null };

export type ImportMalaysiaInvoicesMutationVariables = Exact<{
  input: Array<ImportMalaysiaInvoiceInput> | ImportMalaysiaInvoiceInput;
  locale?: Locale | null | undefined;
}>;


export type ImportMalaysiaInvoicesMutation = { importMalaysiaInvoices: Array<
    | { __typename: 'InvalidInput', message: string, problems: Array<{ rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
    | { __typename: 'MalaysiaImport', id: string, requestId: string | null, queueId: string, documentId: string, docType: MalaysiaDocType | null, docNumber: string | null, message: string, trackingUrl: string | null, govPortal: { submissionId: string | null, uuid: string | null } | null, warnings: Array<{ rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }>, status: { id: string, state: MalaysiaState } | null }
   | null> | null };

export type MalaysiaStatusesChangedSubscriptionVariables = Exact<{
  documentIds: Array<string | number> | string | number;
}>;


export type MalaysiaStatusesChangedSubscription = { malaysiaStatusesChanged: { id: string, documentId: string, state: MalaysiaState, rawState: string | null, isFinal: boolean, message: string | null, observedAt: string, isDelayed: boolean, since: string | null, govPortal: { submissionId: string | null, uuid: string | null } | null, expected: { likelyBy: string, atLatestBy: string, basis: number } | null, problem: { code: string, message: string, retryable: boolean } | null } };

export type MalaysiaStatusesQueryVariables = Exact<{
  documentIds: Array<string | number> | string | number;
}>;


export type MalaysiaStatusesQuery = { malaysiaStatuses: Array<{ id: string, documentId: string, state: MalaysiaState, rawState: string | null, isFinal: boolean, message: string | null, observedAt: string, isDelayed: boolean, since: string | null, govPortal: { submissionId: string | null, uuid: string | null } | null, expected: { likelyBy: string, atLatestBy: string, basis: number } | null, problem: { code: string, message: string, retryable: boolean } | null } | null> | null };

export type CheckMalaysiaInvoiceQueryVariables = Exact<{
  invoice: MalaysiaInvoiceInput;
}>;


export type CheckMalaysiaInvoiceQuery = { checkMalaysiaInvoice: { isValid: boolean, problems: Array<{ rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }>, totals: { amountExclTax: string, taxAmount: string, amountInclTax: string } } | null };

export type CheckMalaysiaInvoiceDraftQueryVariables = Exact<{
  invoice: MalaysiaInvoiceDraftInput;
}>;


export type CheckMalaysiaInvoiceDraftQuery = { checkMalaysiaInvoiceDraft: { isValid: boolean, problems: Array<{ rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }>, totals: { amountExclTax: string, taxAmount: string, amountInclTax: string } } | null };

export type CheckFragment = { isValid: boolean, problems: Array<{ rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }>, totals: { amountExclTax: string, taxAmount: string, amountInclTax: string } };

export type ImportMalaysiaInvoiceMutationVariables = Exact<{
  input: ImportMalaysiaInvoiceInput;
  locale?: Locale | null | undefined;
}>;


export type ImportMalaysiaInvoiceMutation = { importMalaysiaInvoice:
    | { __typename: 'InvalidInput', message: string, problems: Array<{ rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
    | { __typename: 'MalaysiaImport', id: string, requestId: string | null, queueId: string, documentId: string, docType: MalaysiaDocType | null, docNumber: string | null, message: string, trackingUrl: string | null, govPortal: { submissionId: string | null, uuid: string | null } | null, warnings: Array<{ rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }>, status: { id: string, state: MalaysiaState } | null }
   | null };

export type ImportFragment = { id: string, requestId: string | null, queueId: string, documentId: string, docType: MalaysiaDocType | null, docNumber: string | null, message: string, trackingUrl: string | null, govPortal: { submissionId: string | null, uuid: string | null } | null, warnings: Array<{ rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }>, status: { id: string, state: MalaysiaState } | null };

export type MalaysiaStatusChangedSubscriptionVariables = Exact<{
  documentId: string | number;
}>;


export type MalaysiaStatusChangedSubscription = { malaysiaStatusChanged: { id: string, documentId: string, state: MalaysiaState, rawState: string | null, isFinal: boolean, message: string | null, observedAt: string, isDelayed: boolean, since: string | null, govPortal: { submissionId: string | null, uuid: string | null } | null, expected: { likelyBy: string, atLatestBy: string, basis: number } | null, problem: { code: string, message: string, retryable: boolean } | null } };

export type MalaysiaStatusQueryVariables = Exact<{
  documentId: string | number;
}>;


export type MalaysiaStatusQuery = { malaysiaStatus: { id: string, documentId: string, state: MalaysiaState, rawState: string | null, isFinal: boolean, message: string | null, observedAt: string, isDelayed: boolean, since: string | null, govPortal: { submissionId: string | null, uuid: string | null } | null, expected: { likelyBy: string, atLatestBy: string, basis: number } | null, problem: { code: string, message: string, retryable: boolean } | null } | null };

export type StatusFragment = { id: string, documentId: string, state: MalaysiaState, rawState: string | null, isFinal: boolean, message: string | null, observedAt: string, isDelayed: boolean, since: string | null, govPortal: { submissionId: string | null, uuid: string | null } | null, expected: { likelyBy: string, atLatestBy: string, basis: number } | null, problem: { code: string, message: string, retryable: boolean } | null };

export type MexicoValidationsQueryVariables = Exact<{
  by: Array<MexicoValidationReference> | MexicoValidationReference;
}>;


export type MexicoValidationsQuery = { mexicoValidations: Array<{ id: string, documentId: string, uuid: string | null, result: MexicoValidationResult, rawResult: string, validatedAt: string | null, invalidReason: string | null, steps: Array<{ name: MexicoValidationStepName, key: string, result: MexicoStepResult, rawResult: string, detail: string | null }> } | null> | null };

export type MexicoValidationQueryVariables = Exact<{
  by: MexicoValidationReference;
}>;


export type MexicoValidationQuery = { mexicoValidation: { id: string, documentId: string, uuid: string | null, result: MexicoValidationResult, rawResult: string, validatedAt: string | null, invalidReason: string | null, steps: Array<{ name: MexicoValidationStepName, key: string, result: MexicoStepResult, rawResult: string, detail: string | null }> } | null };

export type ValidationFragment = { id: string, documentId: string, uuid: string | null, result: MexicoValidationResult, rawResult: string, validatedAt: string | null, invalidReason: string | null, steps: Array<{ name: MexicoValidationStepName, key: string, result: MexicoStepResult, rawResult: string, detail: string | null }> };

export type RefusalFragment = { message: string, problems: Array<{ rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> };

export type ScanIdentityCardMutationVariables = Exact<{
  input: ScanIdentityCardInput;
  locale?: Locale | null | undefined;
}>;


export type ScanIdentityCardMutation = { scanIdentityCard:
    | { __typename: 'InvalidInput', message: string, problems: Array<{ rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
    | { __typename: 'ScanResult', id: string, documentId: string, status: string | null, card: { pageCount: number | null, name: { key: string, label: string | null, category: string | null, type: string | null, text: string | null, date: string | null, matches: Array<{ text: string | null, page: number | null, keywordBox: { left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null, valueBox: { left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null }> } | null, nricNumber: { key: string, label: string | null, category: string | null, type: string | null, text: string | null, date: string | null, matches: Array<{ text: string | null, page: number | null, keywordBox: { left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null, valueBox: { left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null }> } | null, dateOfBirth: { key: string, label: string | null, category: string | null, type: string | null, text: string | null, date: string | null, matches: Array<{ text: string | null, page: number | null, keywordBox: { left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null, valueBox: { left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null }> } | null, gender: { key: string, label: string | null, category: string | null, type: string | null, text: string | null, date: string | null, matches: Array<{ text: string | null, page: number | null, keywordBox: { left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null, valueBox: { left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null }> } | null, nationality: { key: string, label: string | null, category: string | null, type: string | null, text: string | null, date: string | null, matches: Array<{ text: string | null, page: number | null, keywordBox: { left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null, valueBox: { left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null }> } | null, issueDate: { key: string, label: string | null, category: string | null, type: string | null, text: string | null, date: string | null, matches: Array<{ text: string | null, page: number | null, keywordBox: { left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null, valueBox: { left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null }> } | null, expiryDate: { key: string, label: string | null, category: string | null, type: string | null, text: string | null, date: string | null, matches: Array<{ text: string | null, page: number | null, keywordBox: { left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null, valueBox: { left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null }> } | null, fields: Array<{ key: string, text: string | null }>, pageSizes: Array<{ first: number, second: number }>, textBoxes: Array<{ left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null }> } }
   | null };

export type FieldFragment = { key: string, label: string | null, category: string | null, type: string | null, text: string | null, date: string | null, matches: Array<{ text: string | null, page: number | null, keywordBox: { left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null, valueBox: { left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null }> };

export type BoxFragment = { left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null };

export type WriteOutcomeQueryVariables = Exact<{
  idempotencyKey: string;
}>;


export type WriteOutcomeQuery = { writeOutcome: { state: WriteState, result:
      | { __typename: 'FapiaoRequest', id: string, requestId: string }
      | { __typename: 'Group', id: string, name: string | null }
      | { __typename: 'MalaysiaImport', id: string, documentId: string }
      | { __typename: 'ScanResult', id: string, documentId: string }
     | null } | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const CheckFragmentDoc = new TypedDocumentString(`
    fragment Check on MalaysiaInvoiceCheck {
  isValid
  problems {
    rule
    severity
    path
    message
    expected
    actual
  }
  totals {
    amountExclTax
    taxAmount
    amountInclTax
  }
}
    `, {"fragmentName":"Check"}) as unknown as TypedDocumentString<CheckFragment, unknown>;
export const ImportFragmentDoc = new TypedDocumentString(`
    fragment Import on MalaysiaImport {
  id
  requestId
  queueId
  documentId
  docType
  docNumber
  message
  trackingUrl
  govPortal {
    submissionId
    uuid
  }
  warnings {
    rule
    severity
    path
    message
    expected
    actual
  }
  status {
    id
    state
  }
}
    `, {"fragmentName":"Import"}) as unknown as TypedDocumentString<ImportFragment, unknown>;
export const StatusFragmentDoc = new TypedDocumentString(`
    fragment Status on MalaysiaStatus {
  id
  documentId
  state
  rawState
  isFinal
  message
  govPortal {
    submissionId
    uuid
  }
  observedAt
  isDelayed
  since
  expected {
    likelyBy
    atLatestBy
    basis
  }
  problem {
    code
    message
    retryable
  }
}
    `, {"fragmentName":"Status"}) as unknown as TypedDocumentString<StatusFragment, unknown>;
export const ValidationFragmentDoc = new TypedDocumentString(`
    fragment Validation on MexicoValidation {
  id
  documentId
  uuid
  result
  rawResult
  validatedAt
  invalidReason
  steps {
    name
    key
    result
    rawResult
    detail
  }
}
    `, {"fragmentName":"Validation"}) as unknown as TypedDocumentString<ValidationFragment, unknown>;
export const RefusalFragmentDoc = new TypedDocumentString(`
    fragment Refusal on InvalidInput {
  message
  problems {
    rule
    severity
    path
    message(locale: $locale)
    expected(locale: $locale)
    actual
  }
}
    `, {"fragmentName":"Refusal"}) as unknown as TypedDocumentString<RefusalFragment, unknown>;
export const BoxFragmentDoc = new TypedDocumentString(`
    fragment Box on TextBox {
  left
  top
  right
  bottom
  centerX
  centerY
  text
  page
}
    `, {"fragmentName":"Box"}) as unknown as TypedDocumentString<BoxFragment, unknown>;
export const FieldFragmentDoc = new TypedDocumentString(`
    fragment Field on ExtractedField {
  key
  label
  category
  type
  text
  date
  matches {
    text
    page
    keywordBox {
      ...Box
    }
    valueBox {
      ...Box
    }
  }
}
    fragment Box on TextBox {
  left
  top
  right
  bottom
  centerX
  centerY
  text
  page
}`, {"fragmentName":"Field"}) as unknown as TypedDocumentString<FieldFragment, unknown>;
export const ExportDocumentsDocument = new TypedDocumentString(`
    mutation ExportDocuments($input: ExportDocumentsInput!, $locale: Locale = EN) {
  exportDocuments(input: $input) {
    __typename
    ... on ExportResult {
      message
      csv
      columns
      rowCount
      rows {
        name
        idNumber
        fileName
        registrationDate
        expiryDate
        nationality: value(column: "Nationality")
      }
    }
    ...Refusal
  }
}
    fragment Refusal on InvalidInput {
  message
  problems {
    rule
    severity
    path
    message(locale: $locale)
    expected(locale: $locale)
    actual
  }
}`) as unknown as TypedDocumentString<ExportDocumentsMutation, ExportDocumentsMutationVariables>;
export const CreateFapiaoDocument = new TypedDocumentString(`
    mutation CreateFapiao($input: CreateFapiaoInput!, $locale: Locale = EN) {
  createFapiao(input: $input) {
    __typename
    ... on FapiaoRequest {
      id
      requestId
      message
      warnings {
        rule
        severity
        path
        message
        expected
        actual
      }
    }
    ...Refusal
  }
}
    fragment Refusal on InvalidInput {
  message
  problems {
    rule
    severity
    path
    message(locale: $locale)
    expected(locale: $locale)
    actual
  }
}`) as unknown as TypedDocumentString<CreateFapiaoMutation, CreateFapiaoMutationVariables>;
export const GatewayInfoDocument = new TypedDocumentString(`
    query GatewayInfo {
  gatewayInfo {
    limits {
      maxUploadBytes
      maxXmlBytes
      maxRequestBytes
      maxBatchSize
      maxDocumentIds
      maxOperationCost
      maxOperationDepth
    }
    rules {
      rule
      severity
      appliesTo
      summary
    }
  }
}
    `) as unknown as TypedDocumentString<GatewayInfoQuery, GatewayInfoQueryVariables>;
export const CreateGroupDocument = new TypedDocumentString(`
    mutation CreateGroup($input: CreateGroupInput!, $locale: Locale = EN) {
  createGroup(input: $input) {
    __typename
    ... on Group {
      id
      name
      createdAt
      ownerId
      queueCount
      queues {
        id
        name
        raw
      }
    }
    ...Refusal
  }
}
    fragment Refusal on InvalidInput {
  message
  problems {
    rule
    severity
    path
    message(locale: $locale)
    expected(locale: $locale)
    actual
  }
}`) as unknown as TypedDocumentString<CreateGroupMutation, CreateGroupMutationVariables>;
export const ImportMalaysiaInvoicesDocument = new TypedDocumentString(`
    mutation ImportMalaysiaInvoices($input: [ImportMalaysiaInvoiceInput!]!, $locale: Locale = EN) {
  importMalaysiaInvoices(input: $input) {
    __typename
    ...Import
    ...Refusal
  }
}
    fragment Import on MalaysiaImport {
  id
  requestId
  queueId
  documentId
  docType
  docNumber
  message
  trackingUrl
  govPortal {
    submissionId
    uuid
  }
  warnings {
    rule
    severity
    path
    message
    expected
    actual
  }
  status {
    id
    state
  }
}
fragment Refusal on InvalidInput {
  message
  problems {
    rule
    severity
    path
    message(locale: $locale)
    expected(locale: $locale)
    actual
  }
}`) as unknown as TypedDocumentString<ImportMalaysiaInvoicesMutation, ImportMalaysiaInvoicesMutationVariables>;
export const MalaysiaStatusesChangedDocument = new TypedDocumentString(`
    subscription MalaysiaStatusesChanged($documentIds: [ID!]!) {
  malaysiaStatusesChanged(documentIds: $documentIds) {
    ...Status
  }
}
    fragment Status on MalaysiaStatus {
  id
  documentId
  state
  rawState
  isFinal
  message
  govPortal {
    submissionId
    uuid
  }
  observedAt
  isDelayed
  since
  expected {
    likelyBy
    atLatestBy
    basis
  }
  problem {
    code
    message
    retryable
  }
}`) as unknown as TypedDocumentString<MalaysiaStatusesChangedSubscription, MalaysiaStatusesChangedSubscriptionVariables>;
export const MalaysiaStatusesDocument = new TypedDocumentString(`
    query MalaysiaStatuses($documentIds: [ID!]!) {
  malaysiaStatuses(documentIds: $documentIds) {
    ...Status
  }
}
    fragment Status on MalaysiaStatus {
  id
  documentId
  state
  rawState
  isFinal
  message
  govPortal {
    submissionId
    uuid
  }
  observedAt
  isDelayed
  since
  expected {
    likelyBy
    atLatestBy
    basis
  }
  problem {
    code
    message
    retryable
  }
}`) as unknown as TypedDocumentString<MalaysiaStatusesQuery, MalaysiaStatusesQueryVariables>;
export const CheckMalaysiaInvoiceDocument = new TypedDocumentString(`
    query CheckMalaysiaInvoice($invoice: MalaysiaInvoiceInput!) {
  checkMalaysiaInvoice(invoice: $invoice) {
    ...Check
  }
}
    fragment Check on MalaysiaInvoiceCheck {
  isValid
  problems {
    rule
    severity
    path
    message
    expected
    actual
  }
  totals {
    amountExclTax
    taxAmount
    amountInclTax
  }
}`) as unknown as TypedDocumentString<CheckMalaysiaInvoiceQuery, CheckMalaysiaInvoiceQueryVariables>;
export const CheckMalaysiaInvoiceDraftDocument = new TypedDocumentString(`
    query CheckMalaysiaInvoiceDraft($invoice: MalaysiaInvoiceDraftInput!) {
  checkMalaysiaInvoiceDraft(invoice: $invoice) {
    ...Check
  }
}
    fragment Check on MalaysiaInvoiceCheck {
  isValid
  problems {
    rule
    severity
    path
    message
    expected
    actual
  }
  totals {
    amountExclTax
    taxAmount
    amountInclTax
  }
}`) as unknown as TypedDocumentString<CheckMalaysiaInvoiceDraftQuery, CheckMalaysiaInvoiceDraftQueryVariables>;
export const ImportMalaysiaInvoiceDocument = new TypedDocumentString(`
    mutation ImportMalaysiaInvoice($input: ImportMalaysiaInvoiceInput!, $locale: Locale = EN) {
  importMalaysiaInvoice(input: $input) {
    __typename
    ...Import
    ...Refusal
  }
}
    fragment Import on MalaysiaImport {
  id
  requestId
  queueId
  documentId
  docType
  docNumber
  message
  trackingUrl
  govPortal {
    submissionId
    uuid
  }
  warnings {
    rule
    severity
    path
    message
    expected
    actual
  }
  status {
    id
    state
  }
}
fragment Refusal on InvalidInput {
  message
  problems {
    rule
    severity
    path
    message(locale: $locale)
    expected(locale: $locale)
    actual
  }
}`) as unknown as TypedDocumentString<ImportMalaysiaInvoiceMutation, ImportMalaysiaInvoiceMutationVariables>;
export const MalaysiaStatusChangedDocument = new TypedDocumentString(`
    subscription MalaysiaStatusChanged($documentId: ID!) {
  malaysiaStatusChanged(documentId: $documentId) {
    ...Status
  }
}
    fragment Status on MalaysiaStatus {
  id
  documentId
  state
  rawState
  isFinal
  message
  govPortal {
    submissionId
    uuid
  }
  observedAt
  isDelayed
  since
  expected {
    likelyBy
    atLatestBy
    basis
  }
  problem {
    code
    message
    retryable
  }
}`) as unknown as TypedDocumentString<MalaysiaStatusChangedSubscription, MalaysiaStatusChangedSubscriptionVariables>;
export const MalaysiaStatusDocument = new TypedDocumentString(`
    query MalaysiaStatus($documentId: ID!) {
  malaysiaStatus(documentId: $documentId) {
    ...Status
  }
}
    fragment Status on MalaysiaStatus {
  id
  documentId
  state
  rawState
  isFinal
  message
  govPortal {
    submissionId
    uuid
  }
  observedAt
  isDelayed
  since
  expected {
    likelyBy
    atLatestBy
    basis
  }
  problem {
    code
    message
    retryable
  }
}`) as unknown as TypedDocumentString<MalaysiaStatusQuery, MalaysiaStatusQueryVariables>;
export const MexicoValidationsDocument = new TypedDocumentString(`
    query MexicoValidations($by: [MexicoValidationReference!]!) {
  mexicoValidations(by: $by) {
    ...Validation
  }
}
    fragment Validation on MexicoValidation {
  id
  documentId
  uuid
  result
  rawResult
  validatedAt
  invalidReason
  steps {
    name
    key
    result
    rawResult
    detail
  }
}`) as unknown as TypedDocumentString<MexicoValidationsQuery, MexicoValidationsQueryVariables>;
export const MexicoValidationDocument = new TypedDocumentString(`
    query MexicoValidation($by: MexicoValidationReference!) {
  mexicoValidation(by: $by) {
    ...Validation
  }
}
    fragment Validation on MexicoValidation {
  id
  documentId
  uuid
  result
  rawResult
  validatedAt
  invalidReason
  steps {
    name
    key
    result
    rawResult
    detail
  }
}`) as unknown as TypedDocumentString<MexicoValidationQuery, MexicoValidationQueryVariables>;
export const ScanIdentityCardDocument = new TypedDocumentString(`
    mutation ScanIdentityCard($input: ScanIdentityCardInput!, $locale: Locale = EN) {
  scanIdentityCard(input: $input) {
    __typename
    ... on ScanResult {
      id
      documentId
      status
      card {
        name {
          ...Field
        }
        nricNumber {
          ...Field
        }
        dateOfBirth {
          ...Field
        }
        gender {
          ...Field
        }
        nationality {
          ...Field
        }
        issueDate {
          ...Field
        }
        expiryDate {
          ...Field
        }
        fields {
          key
          text
        }
        pageCount
        pageSizes {
          first
          second
        }
        textBoxes {
          ...Box
        }
      }
    }
    ...Refusal
  }
}
    fragment Refusal on InvalidInput {
  message
  problems {
    rule
    severity
    path
    message(locale: $locale)
    expected(locale: $locale)
    actual
  }
}
fragment Field on ExtractedField {
  key
  label
  category
  type
  text
  date
  matches {
    text
    page
    keywordBox {
      ...Box
    }
    valueBox {
      ...Box
    }
  }
}
fragment Box on TextBox {
  left
  top
  right
  bottom
  centerX
  centerY
  text
  page
}`) as unknown as TypedDocumentString<ScanIdentityCardMutation, ScanIdentityCardMutationVariables>;
export const WriteOutcomeDocument = new TypedDocumentString(`
    query WriteOutcome($idempotencyKey: String!) {
  writeOutcome(idempotencyKey: $idempotencyKey) {
    state
    result {
      __typename
      ... on Group {
        id
        name
      }
      ... on ScanResult {
        id
        documentId
      }
      ... on FapiaoRequest {
        id
        requestId
      }
      ... on MalaysiaImport {
        id
        documentId
      }
    }
  }
}
    `) as unknown as TypedDocumentString<WriteOutcomeQuery, WriteOutcomeQueryVariables>;