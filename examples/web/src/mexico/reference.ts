import type { MexicoValidationReference } from '../graphql/graphql.ts';

/** A text in the form of a UUID is a Folio Fiscal, one of digits is a document id. null: neither. */
export function referenceOf(typed: string): MexicoValidationReference | null {
  const text = typed.trim();
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)) return { uuid: text };
  if (/^\d{1,19}$/.test(text)) return { documentId: text };
  return null;
}
