/** What a normalised cache has to know of the schema. Every other type has an `id`: always select it. */

/** The types without an `id` that is always there: each is part of the object that holds it. */
export const embeddedTypes = [
  'ExportResult',
  'ExportedDocument',
  'ExtractedField',
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
