/** Generated from the gateway's schema. Do not edit. */

export type ErrorCode = 'UNAUTHENTICATED' | 'FORBIDDEN' | 'NOT_FOUND' | 'BAD_USER_INPUT' | 'CONFLICT' | 'IDEMPOTENCY_CONFLICT' | 'RATE_LIMITED' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_FILE' | 'UPSTREAM_TIMEOUT' | 'UPSTREAM_UNAVAILABLE' | 'UPSTREAM_BAD_RESPONSE' | 'OUTCOME_UNKNOWN' | 'BAD_REQUEST' | 'GRAPHQL_PARSE_FAILED' | 'GRAPHQL_VALIDATION_FAILED' | 'OPERATION_TOO_EXPENSIVE' | 'PERSISTED_QUERY_NOT_FOUND' | 'PERSISTED_QUERY_ONLY' | 'SHUTTING_DOWN' | 'INTERNAL_SERVER_ERROR';

/** An endpoint of the service, as the sandbox names it. */
export type SandboxEndpoint = 'createGroup' | 'export' | 'fapiao' | 'malaysiaImport' | 'malaysiaStatus' | 'mexicoStatus' | 'scan';

/** A header that the sandbox requires, in lower case. */
export type CredentialHeader = 'x-api-key' | 'authorization';

export type Date = string;

export type DateTime = string;

export type Decimal = string | number;

export type DecimalDraft = string | number;

export type JSONObject = Record<string, unknown>;

export type JSONObjectDraft = Record<string, unknown>;

export type UUID = string;

export type Upload = File;

export type Locale = 'EN' | 'ES' | 'MS' | 'ZH';

export type MalaysiaDocType = 'CREDIT_NOTE' | 'DEBIT_NOTE' | 'INVOICE' | 'REFUND_NOTE' | 'SELF_BILLED_CREDIT_NOTE' | 'SELF_BILLED_DEBIT_NOTE' | 'SELF_BILLED_INVOICE' | 'SELF_BILLED_REFUND_NOTE';

export type MalaysiaState = 'CANCELLED' | 'FAILED' | 'QUEUED' | 'REJECTED' | 'SUBMITTED' | 'UNKNOWN' | 'VALIDATED';

export type MalaysiaTaxType = 'SALES_TAX' | 'SERVICE_TAX';

export type MexicoStepResult = 'FAIL' | 'PASS' | 'UNKNOWN';

export type MexicoValidationResult = 'INVALID' | 'UNKNOWN' | 'VALID';

export type MexicoValidationStepName = 'AUTHORITY_STATUS' | 'OTHER' | 'RFC' | 'SCHEMA';

export type ProblemSeverity = 'ERROR' | 'WARNING';

export type WriteState = 'COMPLETED' | 'IN_PROGRESS' | 'OUTCOME_UNKNOWN';

export interface CreateFapiaoInput {
  readonly document: FapiaoDocumentInput;
  readonly idempotencyKey?: string | null;
  readonly name?: string | null;
  readonly queueId?: string | null;
}

export interface CreateGroupInput {
  readonly idempotencyKey?: string | null;
  readonly name?: string | null;
}

export interface ExportDocumentsInput {
  readonly documentIds?: ReadonlyArray<string> | null;
}

export type FapiaoDocumentInput = { readonly file: Upload } | { readonly xml: string };

export interface ImportMalaysiaInvoiceInput {
  readonly idempotencyKey?: string | null;
  readonly invoice: MalaysiaInvoiceInput;
  readonly queueId: string;
}

export interface MalaysiaAddressDraftInput {
  readonly city?: string | null;
  readonly country?: string | null;
  readonly extra?: JSONObjectDraft | null;
  readonly line1?: string | null;
  readonly postcode?: string | null;
  readonly stateCode?: string | null;
}

export interface MalaysiaAddressInput {
  readonly city?: string | null;
  readonly country?: string | null;
  readonly extra?: JSONObject | null;
  readonly line1?: string | null;
  readonly postcode?: string | null;
  readonly stateCode?: string | null;
}

export interface MalaysiaContactDraftInput {
  readonly extra?: JSONObjectDraft | null;
  readonly telephone?: string | null;
}

export interface MalaysiaContactInput {
  readonly extra?: JSONObject | null;
  readonly telephone?: string | null;
}

export interface MalaysiaInvoiceDraftInput {
  readonly buyer?: MalaysiaPartyDraftInput | null;
  readonly docNumber?: string | null;
  readonly docType?: string | null;
  readonly extra?: JSONObjectDraft | null;
  readonly lines?: ReadonlyArray<MalaysiaLineDraftInput> | null;
  readonly reference?: MalaysiaReferenceDraftInput | null;
  readonly supplier?: MalaysiaPartyDraftInput | null;
  readonly totals?: JSONObjectDraft | null;
}

export interface MalaysiaInvoiceInput {
  readonly buyer?: MalaysiaPartyInput | null;
  readonly docNumber: string;
  readonly docType: MalaysiaDocType;
  readonly extra?: JSONObject | null;
  readonly lines: ReadonlyArray<MalaysiaLineInput>;
  readonly reference?: MalaysiaReferenceInput | null;
  readonly supplier?: MalaysiaPartyInput | null;
  readonly totals?: JSONObject | null;
}

export interface MalaysiaLineDraftInput {
  readonly amountExclTax?: DecimalDraft | null;
  readonly extra?: JSONObjectDraft | null;
  readonly taxes?: ReadonlyArray<MalaysiaTaxDraftInput> | null;
}

export interface MalaysiaLineInput {
  readonly amountExclTax: Decimal;
  readonly extra?: JSONObject | null;
  readonly taxes?: ReadonlyArray<MalaysiaTaxInput>;
}

export interface MalaysiaPartyDraftInput {
  readonly address?: MalaysiaAddressDraftInput | null;
  readonly contact?: MalaysiaContactDraftInput | null;
  readonly extra?: JSONObjectDraft | null;
}

export interface MalaysiaPartyInput {
  readonly address?: MalaysiaAddressInput | null;
  readonly contact?: MalaysiaContactInput | null;
  readonly extra?: JSONObject | null;
}

export interface MalaysiaReferenceDraftInput {
  readonly extra?: JSONObjectDraft | null;
  readonly originalInvoiceCodeNumber?: string | null;
}

export interface MalaysiaReferenceInput {
  readonly extra?: JSONObject | null;
  readonly originalInvoiceCodeNumber?: string | null;
}

export interface MalaysiaTaxDraftInput {
  readonly amount?: DecimalDraft | null;
  readonly extra?: JSONObjectDraft | null;
  readonly otherType?: string | null;
  readonly type?: string | null;
}

export interface MalaysiaTaxInput {
  readonly amount: Decimal;
  readonly extra?: JSONObject | null;
  readonly otherType?: string | null;
  readonly type?: MalaysiaTaxType | null;
}

export type MexicoValidationReference = { readonly documentId: string } | { readonly uuid: UUID };

export interface ScanIdentityCardInput {
  readonly file: Upload;
  readonly handwritten?: boolean;
  readonly idempotencyKey?: string | null;
  readonly queueId: string;
}

export interface ExpectedChange {
  __typename?: 'ExpectedChange';
  atLatestBy?: DateTime;
  basis?: number;
  likelyBy?: DateTime;
}

export interface ExportResult {
  __typename?: 'ExportResult';
  columns?: ReadonlyArray<string> | null;
  csv?: string;
  message?: string;
  requestedCount?: number;
  rowCount?: number | null;
  rows?: ReadonlyArray<ExportedDocument> | null;
  warnings?: ReadonlyArray<InputProblem>;
}

export interface ExportedDocument {
  __typename?: 'ExportedDocument';
  accountName?: string | null;
  accountNumber?: string | null;
  address?: string | null;
  billingAddress?: string | null;
  brand?: string | null;
  color?: string | null;
  currency?: string | null;
  email?: string | null;
  engineNumber?: string | null;
  expiryDate?: string | null;
  expiryMonth?: string | null;
  expiryYear?: string | null;
  fileName?: string | null;
  firstPlaceOfIssue?: string | null;
  frameNumber?: string | null;
  freight?: string | null;
  iban?: string | null;
  idNumber?: string | null;
  invoiceDate?: string | null;
  invoiceNumber?: string | null;
  model?: string | null;
  name?: string | null;
  otherAddress?: string | null;
  otherDate?: string | null;
  paymentDate?: string | null;
  plateNumber?: string | null;
  poNumber?: string | null;
  registrationDate?: string | null;
  secondPlaceOfIssue?: string | null;
  shippingAddress?: string | null;
  subtotal?: string | null;
  swiftCode?: string | null;
  taxTotal?: string | null;
  total?: string | null;
  url?: string | null;
  value?: string | null;
  vendorAddress?: string | null;
  vendorName?: string | null;
}

export interface ExtractedField {
  __typename?: 'ExtractedField';
  category?: string | null;
  date?: Date | null;
  key?: string;
  label?: string | null;
  matches?: ReadonlyArray<FieldMatch>;
  text?: string | null;
  type?: string | null;
}

export interface FapiaoRequest {
  __typename?: 'FapiaoRequest';
  id?: string;
  message?: string;
  requestId?: string;
  warnings?: ReadonlyArray<InputProblem>;
}

export interface FieldMatch {
  __typename?: 'FieldMatch';
  keywordBox?: TextBox | null;
  multi?: JSONObject | null;
  page?: number | null;
  text?: string | null;
  valueBox?: TextBox | null;
}

export interface GatewayInfo {
  __typename?: 'GatewayInfo';
  limits?: GatewayLimits;
  rules?: ReadonlyArray<ValidationRule>;
}

export interface GatewayLimits {
  __typename?: 'GatewayLimits';
  maxBatchSize?: number;
  maxDocumentIds?: number;
  maxOperationCost?: number;
  maxOperationDepth?: number;
  maxRequestBytes?: number;
  maxUploadBytes?: number;
  maxXmlBytes?: number;
}

export interface GovPortalSubmission {
  __typename?: 'GovPortalSubmission';
  submissionId?: string | null;
  uuid?: string | null;
}

export interface Group {
  __typename?: 'Group';
  createdAt?: DateTime | null;
  id?: string;
  name?: string | null;
  ownerId?: string | null;
  queueCount?: number | null;
  queues?: ReadonlyArray<Queue>;
  warnings?: ReadonlyArray<InputProblem>;
}

export interface IdentityCard {
  __typename?: 'IdentityCard';
  dateOfBirth?: ExtractedField | null;
  expiryDate?: ExtractedField | null;
  fields?: ReadonlyArray<ExtractedField>;
  gender?: ExtractedField | null;
  issueDate?: ExtractedField | null;
  name?: ExtractedField | null;
  nationality?: ExtractedField | null;
  nricNumber?: ExtractedField | null;
  pageCount?: number | null;
  pageSizes?: ReadonlyArray<PageSize>;
  textBoxes?: ReadonlyArray<TextBox>;
}

export interface InputProblem {
  __typename?: 'InputProblem';
  actual?: string | null;
  expected?: string | null;
  message?: string;
  path?: ReadonlyArray<string>;
  rule?: string;
  severity?: ProblemSeverity;
}

export interface InvalidInput {
  __typename?: 'InvalidInput';
  message?: string;
  problems?: ReadonlyArray<InputProblem>;
}

export interface MalaysiaComputedTotals {
  __typename?: 'MalaysiaComputedTotals';
  amountExclTax?: Decimal;
  amountInclTax?: Decimal;
  taxAmount?: Decimal;
}

export interface MalaysiaImport {
  __typename?: 'MalaysiaImport';
  docNumber?: string | null;
  docType?: MalaysiaDocType | null;
  documentId?: string;
  govPortal?: GovPortalSubmission | null;
  id?: string;
  message?: string;
  queueId?: string;
  rawDocType?: string | null;
  requestId?: string | null;
  status?: MalaysiaStatus | null;
  trackingUrl?: string | null;
  warnings?: ReadonlyArray<InputProblem>;
}

export interface MalaysiaInvoiceCheck {
  __typename?: 'MalaysiaInvoiceCheck';
  isValid?: boolean;
  problems?: ReadonlyArray<InputProblem>;
  totals?: MalaysiaComputedTotals;
}

export interface MalaysiaStatus {
  __typename?: 'MalaysiaStatus';
  documentId?: string;
  expected?: ExpectedChange | null;
  govPortal?: GovPortalSubmission | null;
  id?: string;
  isDelayed?: boolean;
  isFinal?: boolean;
  message?: string | null;
  observedAt?: DateTime;
  problem?: StatusProblem | null;
  raw?: JSONObject | null;
  rawState?: string | null;
  since?: DateTime | null;
  state?: MalaysiaState;
}

export interface MexicoValidation {
  __typename?: 'MexicoValidation';
  documentId?: string;
  id?: string;
  invalidReason?: string | null;
  rawResult?: string;
  rawUuid?: string | null;
  rawValidatedAt?: string | null;
  result?: MexicoValidationResult;
  steps?: ReadonlyArray<MexicoValidationStep>;
  uuid?: UUID | null;
  validatedAt?: DateTime | null;
}

export interface MexicoValidationStep {
  __typename?: 'MexicoValidationStep';
  detail?: string | null;
  key?: string;
  name?: MexicoValidationStepName;
  rawResult?: string;
  result?: MexicoStepResult;
}

export interface PageSize {
  __typename?: 'PageSize';
  first?: number;
  second?: number;
}

export interface Queue {
  __typename?: 'Queue';
  id?: string | null;
  name?: string | null;
  raw?: JSONObject;
}

export interface ScanResult {
  __typename?: 'ScanResult';
  card?: IdentityCard;
  documentId?: string;
  id?: string;
  status?: string | null;
  warnings?: ReadonlyArray<InputProblem>;
}

export interface StatusProblem {
  __typename?: 'StatusProblem';
  bound?: string | null;
  code?: string;
  message?: string;
  retryable?: boolean;
}

export interface TextBox {
  __typename?: 'TextBox';
  bottom?: number;
  centerX?: number;
  centerY?: number;
  left?: number;
  page?: number | null;
  right?: number;
  secondText?: string | null;
  text?: string;
  top?: number;
}

export interface ValidationRule {
  __typename?: 'ValidationRule';
  appliesTo?: string;
  rule?: string;
  severity?: ProblemSeverity;
  summary?: string;
}

export interface WriteOutcome {
  __typename?: 'WriteOutcome';
  result?: WriteResult | null;
  state?: WriteState;
}

export type CreateFapiaoResult = (FapiaoRequest & { __typename: 'FapiaoRequest' }) | (InvalidInput & { __typename: 'InvalidInput' });

export type CreateGroupResult = (Group & { __typename: 'Group' }) | (InvalidInput & { __typename: 'InvalidInput' });

export type ExportDocumentsResult = (ExportResult & { __typename: 'ExportResult' }) | (InvalidInput & { __typename: 'InvalidInput' });

export type ImportMalaysiaInvoiceResult = (InvalidInput & { __typename: 'InvalidInput' }) | (MalaysiaImport & { __typename: 'MalaysiaImport' });

export type ScanIdentityCardResult = (InvalidInput & { __typename: 'InvalidInput' }) | (ScanResult & { __typename: 'ScanResult' });

export type WriteResult = (FapiaoRequest & { __typename: 'FapiaoRequest' }) | (Group & { __typename: 'Group' }) | (MalaysiaImport & { __typename: 'MalaysiaImport' }) | (ScanResult & { __typename: 'ScanResult' });

/** The value of a root field for its arguments. Fields that no operation of a test selects can be left out. */
export interface Handlers {
  checkMalaysiaInvoice?: (variables: { invoice: MalaysiaInvoiceInput }) => MalaysiaInvoiceCheck | null | Promise<MalaysiaInvoiceCheck | null>;
  checkMalaysiaInvoiceDraft?: (variables: { invoice: MalaysiaInvoiceDraftInput }) => MalaysiaInvoiceCheck | null | Promise<MalaysiaInvoiceCheck | null>;
  gatewayInfo?: () => GatewayInfo | Promise<GatewayInfo>;
  malaysiaStatus?: (variables: { documentId: string }) => MalaysiaStatus | null | Promise<MalaysiaStatus | null>;
  malaysiaStatuses?: (variables: { documentIds: ReadonlyArray<string> }) => ReadonlyArray<MalaysiaStatus | null> | null | Promise<ReadonlyArray<MalaysiaStatus | null> | null>;
  mexicoValidation?: (variables: { by: MexicoValidationReference }) => MexicoValidation | null | Promise<MexicoValidation | null>;
  mexicoValidations?: (variables: { by: ReadonlyArray<MexicoValidationReference> }) => ReadonlyArray<MexicoValidation | null> | null | Promise<ReadonlyArray<MexicoValidation | null> | null>;
  writeOutcome?: (variables: { idempotencyKey: string }) => WriteOutcome | null | Promise<WriteOutcome | null>;
  createFapiao?: (variables: { input: CreateFapiaoInput }) => CreateFapiaoResult | null | Promise<CreateFapiaoResult | null>;
  createGroup?: (variables: { input: CreateGroupInput }) => CreateGroupResult | null | Promise<CreateGroupResult | null>;
  exportDocuments?: (variables: { input: ExportDocumentsInput }) => ExportDocumentsResult | null | Promise<ExportDocumentsResult | null>;
  importMalaysiaInvoice?: (variables: { input: ImportMalaysiaInvoiceInput }) => ImportMalaysiaInvoiceResult | null | Promise<ImportMalaysiaInvoiceResult | null>;
  importMalaysiaInvoices?: (variables: { input: ReadonlyArray<ImportMalaysiaInvoiceInput> }) => ReadonlyArray<ImportMalaysiaInvoiceResult | null> | null | Promise<ReadonlyArray<ImportMalaysiaInvoiceResult | null> | null>;
  scanIdentityCard?: (variables: { input: ScanIdentityCardInput }) => ScanIdentityCardResult | null | Promise<ScanIdentityCardResult | null>;
  malaysiaStatusChanged?: (variables: { documentId: string }) => Iterable<MalaysiaStatus> | AsyncIterable<MalaysiaStatus>;
  malaysiaStatusesChanged?: (variables: { documentIds: ReadonlyArray<string> }) => Iterable<MalaysiaStatus> | AsyncIterable<MalaysiaStatus>;
}

/** The object types by their names. */
export interface ObjectTypes {
  ExpectedChange: ExpectedChange;
  ExportResult: ExportResult;
  ExportedDocument: ExportedDocument;
  ExtractedField: ExtractedField;
  FapiaoRequest: FapiaoRequest;
  FieldMatch: FieldMatch;
  GatewayInfo: GatewayInfo;
  GatewayLimits: GatewayLimits;
  GovPortalSubmission: GovPortalSubmission;
  Group: Group;
  IdentityCard: IdentityCard;
  InputProblem: InputProblem;
  InvalidInput: InvalidInput;
  MalaysiaComputedTotals: MalaysiaComputedTotals;
  MalaysiaImport: MalaysiaImport;
  MalaysiaInvoiceCheck: MalaysiaInvoiceCheck;
  MalaysiaStatus: MalaysiaStatus;
  MexicoValidation: MexicoValidation;
  MexicoValidationStep: MexicoValidationStep;
  PageSize: PageSize;
  Queue: Queue;
  ScanResult: ScanResult;
  StatusProblem: StatusProblem;
  TextBox: TextBox;
  ValidationRule: ValidationRule;
  WriteOutcome: WriteOutcome;
}
