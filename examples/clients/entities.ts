/** How a normalised cache knows an object again. */

/** The types with an identity of their own, and the field that holds it: always select it. */
export const entityKeys = {
  Group: 'id',
  MalaysiaImport: 'documentId',
  MalaysiaStatus: 'documentId',
  MexicoValidation: 'documentId',
  ScanResult: 'documentId',
} as const;

/** The types that are part of the object which holds them. */
export const embeddedTypes = [
  'ExportResult',
  'ExportedDocument',
  'ExtractedField',
  'FapiaoRequest',
  'FieldMatch',
  'GovPortalSubmission',
  'IdentityCard',
  'InputProblem',
  'InvalidInput',
  'MalaysiaComputedTotals',
  'MalaysiaInvoiceCheck',
  'MexicoValidationStep',
  'PageSize',
  'Queue',
  'TextBox',
] as const;

/** The members of each union: without them a cache can only guess which fragment an object matches. */
export const possibleTypes = {
  CreateFapiaoResult: ['FapiaoRequest', 'InvalidInput'],
  CreateGroupResult: ['Group', 'InvalidInput'],
  ExportDocumentsResult: ['ExportResult', 'InvalidInput'],
  ImportMalaysiaInvoiceResult: ['InvalidInput', 'MalaysiaImport'],
  ScanIdentityCardResult: ['InvalidInput', 'ScanResult'],
};
