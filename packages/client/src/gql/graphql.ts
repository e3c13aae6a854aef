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
  /** A state that no public source documents (see `rawState`), one of several that contradict each other, that of a response about another document, or none received yet. */
  | 'UNKNOWN'
  /** Accepted by the portal. Final, unless it is cancelled at the portal later. */
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
  locale?: Locale | null | undefined;
}>;


export type ExportDocumentsMutation = { __typename: 'Mutation', exportDocuments:
    | { __typename: 'ExportResult', message: string, csv: string, columns: Array<string> | null, requestedCount: number, rowCount: number | null, rows: Array<{ __typename: 'ExportedDocument', name: string | null, idNumber: string | null, fileName: string | null, registrationDate: string | null, expiryDate: string | null, nationality: string | null }> | null, warnings: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
    | { __typename: 'InvalidInput', message: string, problems: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
   | null };

export type CreateFapiaoMutationVariables = Exact<{
  input: CreateFapiaoInput;
  locale?: Locale | null | undefined;
}>;


export type CreateFapiaoMutation = { __typename: 'Mutation', createFapiao:
    | { __typename: 'FapiaoRequest', id: string, requestId: string, message: string, warnings: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
    | { __typename: 'InvalidInput', message: string, problems: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
   | null };

export type GatewayInfoQueryVariables = Exact<{ [key: string]: never; }>;


export type GatewayInfoQuery = { __typename: 'Query', gatewayInfo: { __typename: 'GatewayInfo', limits: { __typename: 'GatewayLimits', maxUploadBytes: number, maxXmlBytes: number, maxRequestBytes: number, maxBatchSize: number, maxDocumentIds: number, maxOperationCost: number, maxOperationDepth: number }, rules: Array<{ __typename: 'ValidationRule', rule: string, severity: ProblemSeverity, appliesTo: string, summary: string }> } };

export type CreateGroupMutationVariables = Exact<{
  input: CreateGroupInput;
  locale?: Locale | null | undefined;
}>;


export type CreateGroupMutation = { __typename: 'Mutation', createGroup:
    | { __typename: 'Group', id: string, name: string | null, createdAt: string | null, ownerId: string | null, queueCount: number | null, queues: Array<{ __typename: 'Queue', id: string | null, name: string | null, raw: Record<string, unknown> }>, warnings: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
    | { __typename: 'InvalidInput', message: string, problems: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
   | null };

export type ImportMalaysiaInvoicesMutationVariables = Exact<{
  input: Array<ImportMalaysiaInvoiceInput> | ImportMalaysiaInvoiceInput;
  locale?: Locale | null | undefined;
}>;


export type ImportMalaysiaInvoicesMutation = { __typename: 'Mutation', importMalaysiaInvoices: Array<
    | { __typename: 'InvalidInput', message: string, problems: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
    | { __typename: 'MalaysiaImport', id: string, requestId: string | null, queueId: string, documentId: string, docType: MalaysiaDocType | null, docNumber: string | null, message: string, trackingUrl: string | null, govPortal: { __typename: 'GovPortalSubmission', submissionId: string | null, uuid: string | null } | null, warnings: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }>, status: { __typename: 'MalaysiaStatus', id: string, state: MalaysiaState } | null }
   | null> | null };

export type MalaysiaStatusesChangedSubscriptionVariables = Exact<{
  documentIds: Array<string | number> | string | number;
}>;


export type MalaysiaStatusesChangedSubscription = { malaysiaStatusesChanged: { __typename: 'MalaysiaStatus', id: string, documentId: string, state: MalaysiaState, rawState: string | null, isFinal: boolean, message: string | null, observedAt: string, isDelayed: boolean, since: string | null, govPortal: { __typename: 'GovPortalSubmission', submissionId: string | null, uuid: string | null } | null, expected: { __typename: 'ExpectedChange', likelyBy: string, atLatestBy: string, basis: number } | null, problem: { __typename: 'StatusProblem', code: string, message: string, retryable: boolean } | null } };

export type MalaysiaStatusesQueryVariables = Exact<{
  documentIds: Array<string | number> | string | number;
}>;


export type MalaysiaStatusesQuery = { __typename: 'Query', malaysiaStatuses: Array<{ __typename: 'MalaysiaStatus', id: string, documentId: string, state: MalaysiaState, rawState: string | null, isFinal: boolean, message: string | null, observedAt: string, isDelayed: boolean, since: string | null, govPortal: { __typename: 'GovPortalSubmission', submissionId: string | null, uuid: string | null } | null, expected: { __typename: 'ExpectedChange', likelyBy: string, atLatestBy: string, basis: number } | null, problem: { __typename: 'StatusProblem', code: string, message: string, retryable: boolean } | null } | null> | null };

export type CheckMalaysiaInvoiceQueryVariables = Exact<{
  invoice: MalaysiaInvoiceInput;
}>;


export type CheckMalaysiaInvoiceQuery = { __typename: 'Query', checkMalaysiaInvoice: { __typename: 'MalaysiaInvoiceCheck', isValid: boolean, problems: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }>, totals: { __typename: 'MalaysiaComputedTotals', amountExclTax: string, taxAmount: string, amountInclTax: string } } | null };

export type CheckMalaysiaInvoiceDraftQueryVariables = Exact<{
  invoice: MalaysiaInvoiceDraftInput;
}>;


export type CheckMalaysiaInvoiceDraftQuery = { __typename: 'Query', checkMalaysiaInvoiceDraft: { __typename: 'MalaysiaInvoiceCheck', isValid: boolean, problems: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }>, totals: { __typename: 'MalaysiaComputedTotals', amountExclTax: string, taxAmount: string, amountInclTax: string } } | null };

export type CheckFragment = { __typename: 'MalaysiaInvoiceCheck', isValid: boolean, problems: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }>, totals: { __typename: 'MalaysiaComputedTotals', amountExclTax: string, taxAmount: string, amountInclTax: string } };

export type ImportMalaysiaInvoiceMutationVariables = Exact<{
  input: ImportMalaysiaInvoiceInput;
  locale?: Locale | null | undefined;
}>;


export type ImportMalaysiaInvoiceMutation = { __typename: 'Mutation', importMalaysiaInvoice:
    | { __typename: 'InvalidInput', message: string, problems: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
    | { __typename: 'MalaysiaImport', id: string, requestId: string | null, queueId: string, documentId: string, docType: MalaysiaDocType | null, docNumber: string | null, message: string, trackingUrl: string | null, govPortal: { __typename: 'GovPortalSubmission', submissionId: string | null, uuid: string | null } | null, warnings: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }>, status: { __typename: 'MalaysiaStatus', id: string, state: MalaysiaState } | null }
   | null };

export type ImportFragment = { __typename: 'MalaysiaImport', id: string, requestId: string | null, queueId: string, documentId: string, docType: MalaysiaDocType | null, docNumber: string | null, message: string, trackingUrl: string | null, govPortal: { __typename: 'GovPortalSubmission', submissionId: string | null, uuid: string | null } | null, warnings: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }>, status: { __typename: 'MalaysiaStatus', id: string, state: MalaysiaState } | null };

export type MalaysiaStatusChangedSubscriptionVariables = Exact<{
  documentId: string | number;
}>;


export type MalaysiaStatusChangedSubscription = { malaysiaStatusChanged: { __typename: 'MalaysiaStatus', id: string, documentId: string, state: MalaysiaState, rawState: string | null, isFinal: boolean, message: string | null, observedAt: string, isDelayed: boolean, since: string | null, govPortal: { __typename: 'GovPortalSubmission', submissionId: string | null, uuid: string | null } | null, expected: { __typename: 'ExpectedChange', likelyBy: string, atLatestBy: string, basis: number } | null, problem: { __typename: 'StatusProblem', code: string, message: string, retryable: boolean } | null } };

export type MalaysiaStatusQueryVariables = Exact<{
  documentId: string | number;
}>;


export type MalaysiaStatusQuery = { __typename: 'Query', malaysiaStatus: { __typename: 'MalaysiaStatus', id: string, documentId: string, state: MalaysiaState, rawState: string | null, isFinal: boolean, message: string | null, observedAt: string, isDelayed: boolean, since: string | null, govPortal: { __typename: 'GovPortalSubmission', submissionId: string | null, uuid: string | null } | null, expected: { __typename: 'ExpectedChange', likelyBy: string, atLatestBy: string, basis: number } | null, problem: { __typename: 'StatusProblem', code: string, message: string, retryable: boolean } | null } | null };

export type StatusFragment = { __typename: 'MalaysiaStatus', id: string, documentId: string, state: MalaysiaState, rawState: string | null, isFinal: boolean, message: string | null, observedAt: string, isDelayed: boolean, since: string | null, govPortal: { __typename: 'GovPortalSubmission', submissionId: string | null, uuid: string | null } | null, expected: { __typename: 'ExpectedChange', likelyBy: string, atLatestBy: string, basis: number } | null, problem: { __typename: 'StatusProblem', code: string, message: string, retryable: boolean } | null };

export type MexicoValidationsQueryVariables = Exact<{
  by: Array<MexicoValidationReference> | MexicoValidationReference;
}>;


export type MexicoValidationsQuery = { __typename: 'Query', mexicoValidations: Array<{ __typename: 'MexicoValidation', id: string, documentId: string, uuid: string | null, result: MexicoValidationResult, rawResult: string, validatedAt: string | null, invalidReason: string | null, steps: Array<{ __typename: 'MexicoValidationStep', name: MexicoValidationStepName, key: string, result: MexicoStepResult, rawResult: string, detail: string | null }> } | null> | null };

export type MexicoValidationQueryVariables = Exact<{
  by: MexicoValidationReference;
}>;


export type MexicoValidationQuery = { __typename: 'Query', mexicoValidation: { __typename: 'MexicoValidation', id: string, documentId: string, uuid: string | null, result: MexicoValidationResult, rawResult: string, validatedAt: string | null, invalidReason: string | null, steps: Array<{ __typename: 'MexicoValidationStep', name: MexicoValidationStepName, key: string, result: MexicoStepResult, rawResult: string, detail: string | null }> } | null };

export type ValidationFragment = { __typename: 'MexicoValidation', id: string, documentId: string, uuid: string | null, result: MexicoValidationResult, rawResult: string, validatedAt: string | null, invalidReason: string | null, steps: Array<{ __typename: 'MexicoValidationStep', name: MexicoValidationStepName, key: string, result: MexicoStepResult, rawResult: string, detail: string | null }> };

export type RefusalFragment = { __typename: 'InvalidInput', message: string, problems: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> };

export type ScanIdentityCardMutationVariables = Exact<{
  input: ScanIdentityCardInput;
  locale?: Locale | null | undefined;
}>;


export type ScanIdentityCardMutation = { __typename: 'Mutation', scanIdentityCard:
    | { __typename: 'InvalidInput', message: string, problems: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
    | { __typename: 'ScanResult', id: string, documentId: string, status: string | null, card: { __typename: 'IdentityCard', pageCount: number | null, name: { __typename: 'ExtractedField', key: string, label: string | null, category: string | null, type: string | null, text: string | null, date: string | null, matches: Array<{ __typename: 'FieldMatch', text: string | null, page: number | null, keywordBox: { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null, valueBox: { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null }> } | null, nricNumber: { __typename: 'ExtractedField', key: string, label: string | null, category: string | null, type: string | null, text: string | null, date: string | null, matches: Array<{ __typename: 'FieldMatch', text: string | null, page: number | null, keywordBox: { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null, valueBox: { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null }> } | null, dateOfBirth: { __typename: 'ExtractedField', key: string, label: string | null, category: string | null, type: string | null, text: string | null, date: string | null, matches: Array<{ __typename: 'FieldMatch', text: string | null, page: number | null, keywordBox: { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null, valueBox: { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null }> } | null, gender: { __typename: 'ExtractedField', key: string, label: string | null, category: string | null, type: string | null, text: string | null, date: string | null, matches: Array<{ __typename: 'FieldMatch', text: string | null, page: number | null, keywordBox: { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null, valueBox: { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null }> } | null, nationality: { __typename: 'ExtractedField', key: string, label: string | null, category: string | null, type: string | null, text: string | null, date: string | null, matches: Array<{ __typename: 'FieldMatch', text: string | null, page: number | null, keywordBox: { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null, valueBox: { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null }> } | null, issueDate: { __typename: 'ExtractedField', key: string, label: string | null, category: string | null, type: string | null, text: string | null, date: string | null, matches: Array<{ __typename: 'FieldMatch', text: string | null, page: number | null, keywordBox: { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null, valueBox: { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null }> } | null, expiryDate: { __typename: 'ExtractedField', key: string, label: string | null, category: string | null, type: string | null, text: string | null, date: string | null, matches: Array<{ __typename: 'FieldMatch', text: string | null, page: number | null, keywordBox: { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null, valueBox: { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null }> } | null, fields: Array<{ __typename: 'ExtractedField', key: string, text: string | null }>, pageSizes: Array<{ __typename: 'PageSize', first: number, second: number }>, textBoxes: Array<{ __typename: 'TextBox', left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null }> }, warnings: Array<{ __typename: 'InputProblem', rule: string, severity: ProblemSeverity, path: Array<string>, message: string, expected: string | null, actual: string | null }> }
   | null };

export type FieldFragment = { __typename: 'ExtractedField', key: string, label: string | null, category: string | null, type: string | null, text: string | null, date: string | null, matches: Array<{ __typename: 'FieldMatch', text: string | null, page: number | null, keywordBox: { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null, valueBox: { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null } | null }> };

export type BoxFragment = { __typename: 'TextBox', left: number, top: number, right: number, bottom: number, centerX: number, centerY: number, text: string, page: number | null };

export type WriteOutcomeQueryVariables = Exact<{
  idempotencyKey: string;
}>;


export type WriteOutcomeQuery = { __typename: 'Query', writeOutcome: { __typename: 'WriteOutcome', state: WriteState, result:
      | { __typename: 'FapiaoRequest', id: string, requestId: string }
      | { __typename: 'Group', id: string, name: string | null }
      | { __typename: 'MalaysiaImport', id: string, documentId: string }
      | { __typename: 'ScanResult', id: string, documentId: string }
     | null } | null };

export const CheckFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Check"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MalaysiaInvoiceCheck"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"isValid"}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"expected"}},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totals"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"amountExclTax"}},{"kind":"Field","name":{"kind":"Name","value":"taxAmount"}},{"kind":"Field","name":{"kind":"Name","value":"amountInclTax"}}]}}]}}]} as unknown as DocumentNode<CheckFragment, unknown>;
export const ImportFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Import"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MalaysiaImport"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"requestId"}},{"kind":"Field","name":{"kind":"Name","value":"queueId"}},{"kind":"Field","name":{"kind":"Name","value":"documentId"}},{"kind":"Field","name":{"kind":"Name","value":"docType"}},{"kind":"Field","name":{"kind":"Name","value":"docNumber"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"trackingUrl"}},{"kind":"Field","name":{"kind":"Name","value":"govPortal"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"submissionId"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}},{"kind":"Field","name":{"kind":"Name","value":"warnings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}},{"kind":"Field","name":{"kind":"Name","value":"status"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"state"}}]}}]}}]} as unknown as DocumentNode<ImportFragment, unknown>;
export const StatusFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Status"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MalaysiaStatus"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"documentId"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"rawState"}},{"kind":"Field","name":{"kind":"Name","value":"isFinal"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"govPortal"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"submissionId"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}},{"kind":"Field","name":{"kind":"Name","value":"observedAt"}},{"kind":"Field","name":{"kind":"Name","value":"isDelayed"}},{"kind":"Field","name":{"kind":"Name","value":"since"}},{"kind":"Field","name":{"kind":"Name","value":"expected"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"likelyBy"}},{"kind":"Field","name":{"kind":"Name","value":"atLatestBy"}},{"kind":"Field","name":{"kind":"Name","value":"basis"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problem"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retryable"}}]}}]}}]} as unknown as DocumentNode<StatusFragment, unknown>;
export const ValidationFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Validation"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MexicoValidation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"documentId"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"result"}},{"kind":"Field","name":{"kind":"Name","value":"rawResult"}},{"kind":"Field","name":{"kind":"Name","value":"validatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"invalidReason"}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"result"}},{"kind":"Field","name":{"kind":"Name","value":"rawResult"}},{"kind":"Field","name":{"kind":"Name","value":"detail"}}]}}]}}]} as unknown as DocumentNode<ValidationFragment, unknown>;
export const RefusalFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Refusal"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}}]}}]} as unknown as DocumentNode<RefusalFragment, unknown>;
export const BoxFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Box"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TextBox"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"left"}},{"kind":"Field","name":{"kind":"Name","value":"top"}},{"kind":"Field","name":{"kind":"Name","value":"right"}},{"kind":"Field","name":{"kind":"Name","value":"bottom"}},{"kind":"Field","name":{"kind":"Name","value":"centerX"}},{"kind":"Field","name":{"kind":"Name","value":"centerY"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"page"}}]}}]} as unknown as DocumentNode<BoxFragment, unknown>;
export const FieldFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Field"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ExtractedField"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"date"}},{"kind":"Field","name":{"kind":"Name","value":"matches"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"page"}},{"kind":"Field","name":{"kind":"Name","value":"keywordBox"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Box"}}]}},{"kind":"Field","name":{"kind":"Name","value":"valueBox"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Box"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Box"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TextBox"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"left"}},{"kind":"Field","name":{"kind":"Name","value":"top"}},{"kind":"Field","name":{"kind":"Name","value":"right"}},{"kind":"Field","name":{"kind":"Name","value":"bottom"}},{"kind":"Field","name":{"kind":"Name","value":"centerX"}},{"kind":"Field","name":{"kind":"Name","value":"centerY"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"page"}}]}}]} as unknown as DocumentNode<FieldFragment, unknown>;
export const ExportDocumentsDocument = {"__meta__":{"hash":"sha256:9b7acd1c712f524c5426375d550738aecca703b6c3a270930f8cbea68972eb15"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ExportDocuments"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ExportDocumentsInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"locale"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Locale"}},"defaultValue":{"kind":"EnumValue","value":"EN"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"exportDocuments"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ExportResult"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"csv"}},{"kind":"Field","name":{"kind":"Name","value":"columns"}},{"kind":"Field","name":{"kind":"Name","value":"requestedCount"}},{"kind":"Field","name":{"kind":"Name","value":"rowCount"}},{"kind":"Field","name":{"kind":"Name","value":"rows"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"idNumber"}},{"kind":"Field","name":{"kind":"Name","value":"fileName"}},{"kind":"Field","name":{"kind":"Name","value":"registrationDate"}},{"kind":"Field","name":{"kind":"Name","value":"expiryDate"}},{"kind":"Field","alias":{"kind":"Name","value":"nationality"},"name":{"kind":"Name","value":"value"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"column"},"value":{"kind":"StringValue","value":"Nationality","block":false}}]}]}},{"kind":"Field","name":{"kind":"Name","value":"warnings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Refusal"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Refusal"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}}]}}]} as unknown as DocumentNode<ExportDocumentsMutation, ExportDocumentsMutationVariables>;
export const CreateFapiaoDocument = {"__meta__":{"hash":"sha256:134856b152d13dce932b700c52e2deeb0fdb20073ce0481ce20ee6cc9091660b"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateFapiao"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateFapiaoInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"locale"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Locale"}},"defaultValue":{"kind":"EnumValue","value":"EN"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"createFapiao"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"FapiaoRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"requestId"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"warnings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Refusal"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Refusal"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}}]}}]} as unknown as DocumentNode<CreateFapiaoMutation, CreateFapiaoMutationVariables>;
export const GatewayInfoDocument = {"__meta__":{"hash":"sha256:a84b9beb3da2479b69a34d3f26e61e03f76fdce85887da3b53e89fe5592dd3d8"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"GatewayInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"gatewayInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"limits"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"maxUploadBytes"}},{"kind":"Field","name":{"kind":"Name","value":"maxXmlBytes"}},{"kind":"Field","name":{"kind":"Name","value":"maxRequestBytes"}},{"kind":"Field","name":{"kind":"Name","value":"maxBatchSize"}},{"kind":"Field","name":{"kind":"Name","value":"maxDocumentIds"}},{"kind":"Field","name":{"kind":"Name","value":"maxOperationCost"}},{"kind":"Field","name":{"kind":"Name","value":"maxOperationDepth"}}]}},{"kind":"Field","name":{"kind":"Name","value":"rules"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"appliesTo"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}}]}}]}}]}}]} as unknown as DocumentNode<GatewayInfoQuery, GatewayInfoQueryVariables>;
export const CreateGroupDocument = {"__meta__":{"hash":"sha256:97501326dd4222548be17e0cacfe284660487dba660a57ab7e42225bf6edcf02"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateGroup"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateGroupInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"locale"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Locale"}},"defaultValue":{"kind":"EnumValue","value":"EN"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"createGroup"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"ownerId"}},{"kind":"Field","name":{"kind":"Name","value":"queueCount"}},{"kind":"Field","name":{"kind":"Name","value":"queues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"raw"}}]}},{"kind":"Field","name":{"kind":"Name","value":"warnings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Refusal"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Refusal"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}}]}}]} as unknown as DocumentNode<CreateGroupMutation, CreateGroupMutationVariables>;
export const ImportMalaysiaInvoicesDocument = {"__meta__":{"hash":"sha256:970a19048a92f7099abf9eaabbdf11d3f8db68aee9d9223c104843494d659578"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ImportMalaysiaInvoices"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ImportMalaysiaInvoiceInput"}}}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"locale"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Locale"}},"defaultValue":{"kind":"EnumValue","value":"EN"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"importMalaysiaInvoices"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Import"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Refusal"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Import"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MalaysiaImport"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"requestId"}},{"kind":"Field","name":{"kind":"Name","value":"queueId"}},{"kind":"Field","name":{"kind":"Name","value":"documentId"}},{"kind":"Field","name":{"kind":"Name","value":"docType"}},{"kind":"Field","name":{"kind":"Name","value":"docNumber"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"trackingUrl"}},{"kind":"Field","name":{"kind":"Name","value":"govPortal"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"submissionId"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}},{"kind":"Field","name":{"kind":"Name","value":"warnings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}},{"kind":"Field","name":{"kind":"Name","value":"status"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"state"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Refusal"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}}]}}]} as unknown as DocumentNode<ImportMalaysiaInvoicesMutation, ImportMalaysiaInvoicesMutationVariables>;
export const MalaysiaStatusesChangedDocument = {"__meta__":{"hash":"sha256:76115406900d7698f7cd4c9435f73064600547243e3ea41eec3c338ff96f6193"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"MalaysiaStatusesChanged"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"documentIds"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"malaysiaStatusesChanged"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"documentIds"},"value":{"kind":"Variable","name":{"kind":"Name","value":"documentIds"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Status"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Status"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MalaysiaStatus"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"documentId"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"rawState"}},{"kind":"Field","name":{"kind":"Name","value":"isFinal"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"govPortal"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"submissionId"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}},{"kind":"Field","name":{"kind":"Name","value":"observedAt"}},{"kind":"Field","name":{"kind":"Name","value":"isDelayed"}},{"kind":"Field","name":{"kind":"Name","value":"since"}},{"kind":"Field","name":{"kind":"Name","value":"expected"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"likelyBy"}},{"kind":"Field","name":{"kind":"Name","value":"atLatestBy"}},{"kind":"Field","name":{"kind":"Name","value":"basis"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problem"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retryable"}}]}}]}}]} as unknown as DocumentNode<MalaysiaStatusesChangedSubscription, MalaysiaStatusesChangedSubscriptionVariables>;
export const MalaysiaStatusesDocument = {"__meta__":{"hash":"sha256:32e183a487bed1347fefe1f9f6b13b6c95af3c07022e5dd1d2cbdc24c60b408c"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MalaysiaStatuses"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"documentIds"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"malaysiaStatuses"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"documentIds"},"value":{"kind":"Variable","name":{"kind":"Name","value":"documentIds"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Status"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Status"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MalaysiaStatus"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"documentId"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"rawState"}},{"kind":"Field","name":{"kind":"Name","value":"isFinal"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"govPortal"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"submissionId"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}},{"kind":"Field","name":{"kind":"Name","value":"observedAt"}},{"kind":"Field","name":{"kind":"Name","value":"isDelayed"}},{"kind":"Field","name":{"kind":"Name","value":"since"}},{"kind":"Field","name":{"kind":"Name","value":"expected"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"likelyBy"}},{"kind":"Field","name":{"kind":"Name","value":"atLatestBy"}},{"kind":"Field","name":{"kind":"Name","value":"basis"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problem"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retryable"}}]}}]}}]} as unknown as DocumentNode<MalaysiaStatusesQuery, MalaysiaStatusesQueryVariables>;
export const CheckMalaysiaInvoiceDocument = {"__meta__":{"hash":"sha256:791a5451f5c4cba121aa0d4767baacc06f55d85e822e8898560de88bc50e9766"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CheckMalaysiaInvoice"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"invoice"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"MalaysiaInvoiceInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"checkMalaysiaInvoice"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"invoice"},"value":{"kind":"Variable","name":{"kind":"Name","value":"invoice"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Check"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Check"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MalaysiaInvoiceCheck"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"isValid"}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"expected"}},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totals"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"amountExclTax"}},{"kind":"Field","name":{"kind":"Name","value":"taxAmount"}},{"kind":"Field","name":{"kind":"Name","value":"amountInclTax"}}]}}]}}]} as unknown as DocumentNode<CheckMalaysiaInvoiceQuery, CheckMalaysiaInvoiceQueryVariables>;
export const CheckMalaysiaInvoiceDraftDocument = {"__meta__":{"hash":"sha256:d8d1f941ba9a9687acc3cda15190a2393c0d58ad99a21ed699dd124bd5cb3c9e"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CheckMalaysiaInvoiceDraft"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"invoice"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"MalaysiaInvoiceDraftInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"checkMalaysiaInvoiceDraft"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"invoice"},"value":{"kind":"Variable","name":{"kind":"Name","value":"invoice"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Check"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Check"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MalaysiaInvoiceCheck"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"isValid"}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"expected"}},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totals"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"amountExclTax"}},{"kind":"Field","name":{"kind":"Name","value":"taxAmount"}},{"kind":"Field","name":{"kind":"Name","value":"amountInclTax"}}]}}]}}]} as unknown as DocumentNode<CheckMalaysiaInvoiceDraftQuery, CheckMalaysiaInvoiceDraftQueryVariables>;
export const ImportMalaysiaInvoiceDocument = {"__meta__":{"hash":"sha256:97c8e38da8736afbb8cf5fda80170cee62bc30256c84e1c1f569be11d0d56a61"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ImportMalaysiaInvoice"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ImportMalaysiaInvoiceInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"locale"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Locale"}},"defaultValue":{"kind":"EnumValue","value":"EN"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"importMalaysiaInvoice"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Import"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Refusal"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Import"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MalaysiaImport"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"requestId"}},{"kind":"Field","name":{"kind":"Name","value":"queueId"}},{"kind":"Field","name":{"kind":"Name","value":"documentId"}},{"kind":"Field","name":{"kind":"Name","value":"docType"}},{"kind":"Field","name":{"kind":"Name","value":"docNumber"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"trackingUrl"}},{"kind":"Field","name":{"kind":"Name","value":"govPortal"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"submissionId"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}},{"kind":"Field","name":{"kind":"Name","value":"warnings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}},{"kind":"Field","name":{"kind":"Name","value":"status"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"state"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Refusal"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}}]}}]} as unknown as DocumentNode<ImportMalaysiaInvoiceMutation, ImportMalaysiaInvoiceMutationVariables>;
export const MalaysiaStatusChangedDocument = {"__meta__":{"hash":"sha256:c1acde18a2fff122bc68edb1e6150de6ad8b495e30801c4f3ae9a7a5d988abc9"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"MalaysiaStatusChanged"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"documentId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"malaysiaStatusChanged"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"documentId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"documentId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Status"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Status"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MalaysiaStatus"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"documentId"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"rawState"}},{"kind":"Field","name":{"kind":"Name","value":"isFinal"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"govPortal"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"submissionId"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}},{"kind":"Field","name":{"kind":"Name","value":"observedAt"}},{"kind":"Field","name":{"kind":"Name","value":"isDelayed"}},{"kind":"Field","name":{"kind":"Name","value":"since"}},{"kind":"Field","name":{"kind":"Name","value":"expected"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"likelyBy"}},{"kind":"Field","name":{"kind":"Name","value":"atLatestBy"}},{"kind":"Field","name":{"kind":"Name","value":"basis"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problem"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retryable"}}]}}]}}]} as unknown as DocumentNode<MalaysiaStatusChangedSubscription, MalaysiaStatusChangedSubscriptionVariables>;
export const MalaysiaStatusDocument = {"__meta__":{"hash":"sha256:f87d39207b321285fdb9a119a0cf36054e8a4175d135b355651f18ef5c790e65"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MalaysiaStatus"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"documentId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"malaysiaStatus"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"documentId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"documentId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Status"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Status"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MalaysiaStatus"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"documentId"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"rawState"}},{"kind":"Field","name":{"kind":"Name","value":"isFinal"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"govPortal"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"submissionId"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}},{"kind":"Field","name":{"kind":"Name","value":"observedAt"}},{"kind":"Field","name":{"kind":"Name","value":"isDelayed"}},{"kind":"Field","name":{"kind":"Name","value":"since"}},{"kind":"Field","name":{"kind":"Name","value":"expected"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"likelyBy"}},{"kind":"Field","name":{"kind":"Name","value":"atLatestBy"}},{"kind":"Field","name":{"kind":"Name","value":"basis"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problem"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retryable"}}]}}]}}]} as unknown as DocumentNode<MalaysiaStatusQuery, MalaysiaStatusQueryVariables>;
export const MexicoValidationsDocument = {"__meta__":{"hash":"sha256:7f4899436ffecd273a4c000efde236c0f663941fff0709d73c8e318b55190c95"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MexicoValidations"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"by"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"MexicoValidationReference"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"mexicoValidations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"Variable","name":{"kind":"Name","value":"by"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Validation"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Validation"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MexicoValidation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"documentId"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"result"}},{"kind":"Field","name":{"kind":"Name","value":"rawResult"}},{"kind":"Field","name":{"kind":"Name","value":"validatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"invalidReason"}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"result"}},{"kind":"Field","name":{"kind":"Name","value":"rawResult"}},{"kind":"Field","name":{"kind":"Name","value":"detail"}}]}}]}}]} as unknown as DocumentNode<MexicoValidationsQuery, MexicoValidationsQueryVariables>;
export const MexicoValidationDocument = {"__meta__":{"hash":"sha256:2d4d6301487b4a2146b07d3829cff9191ff773e7bd21702e726ada03b9389528"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MexicoValidation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"by"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"MexicoValidationReference"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"mexicoValidation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"Variable","name":{"kind":"Name","value":"by"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Validation"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Validation"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MexicoValidation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"documentId"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"result"}},{"kind":"Field","name":{"kind":"Name","value":"rawResult"}},{"kind":"Field","name":{"kind":"Name","value":"validatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"invalidReason"}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"result"}},{"kind":"Field","name":{"kind":"Name","value":"rawResult"}},{"kind":"Field","name":{"kind":"Name","value":"detail"}}]}}]}}]} as unknown as DocumentNode<MexicoValidationQuery, MexicoValidationQueryVariables>;
export const ScanIdentityCardDocument = {"__meta__":{"hash":"sha256:eed65970466a71598118ea4eef5c09c42e359c00151ed3ffc62100fa31706e6c"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ScanIdentityCard"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ScanIdentityCardInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"locale"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Locale"}},"defaultValue":{"kind":"EnumValue","value":"EN"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"scanIdentityCard"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ScanResult"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"documentId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"card"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"name"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Field"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nricNumber"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Field"}}]}},{"kind":"Field","name":{"kind":"Name","value":"dateOfBirth"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Field"}}]}},{"kind":"Field","name":{"kind":"Name","value":"gender"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Field"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nationality"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Field"}}]}},{"kind":"Field","name":{"kind":"Name","value":"issueDate"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Field"}}]}},{"kind":"Field","name":{"kind":"Name","value":"expiryDate"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Field"}}]}},{"kind":"Field","name":{"kind":"Name","value":"fields"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"text"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageCount"}},{"kind":"Field","name":{"kind":"Name","value":"pageSizes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"first"}},{"kind":"Field","name":{"kind":"Name","value":"second"}}]}},{"kind":"Field","name":{"kind":"Name","value":"textBoxes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Box"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"warnings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Refusal"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Box"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TextBox"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"left"}},{"kind":"Field","name":{"kind":"Name","value":"top"}},{"kind":"Field","name":{"kind":"Name","value":"right"}},{"kind":"Field","name":{"kind":"Name","value":"bottom"}},{"kind":"Field","name":{"kind":"Name","value":"centerX"}},{"kind":"Field","name":{"kind":"Name","value":"centerY"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"page"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Field"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ExtractedField"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"date"}},{"kind":"Field","name":{"kind":"Name","value":"matches"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"page"}},{"kind":"Field","name":{"kind":"Name","value":"keywordBox"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Box"}}]}},{"kind":"Field","name":{"kind":"Name","value":"valueBox"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Box"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Refusal"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"expected"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"locale"},"value":{"kind":"Variable","name":{"kind":"Name","value":"locale"}}}]},{"kind":"Field","name":{"kind":"Name","value":"actual"}}]}}]}}]} as unknown as DocumentNode<ScanIdentityCardMutation, ScanIdentityCardMutationVariables>;
export const WriteOutcomeDocument = {"__meta__":{"hash":"sha256:eae6f26824a38f900d34245cf622ac5e9433f188018b1b5a7524237bf9ebd5b4"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"WriteOutcome"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"writeOutcome"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"result"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ScanResult"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"documentId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"FapiaoRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"requestId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MalaysiaImport"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"documentId"}}]}}]}}]}}]}}]} as unknown as DocumentNode<WriteOutcomeQuery, WriteOutcomeQueryVariables>;