/** The texts in English. `{name}` is a parameter: every language has the same ones. */
export const en = {
  'rule.address-recommended':
    'A supplier or buyer should have an address with street, city, state, postcode and country.',
  'rule.amount-not-decimal': 'An amount must be a decimal number, e.g. 1436.50.',
  'rule.contact-recommended': 'A supplier or buyer should have a telephone number.',
  'rule.country-code': 'The country should be a code of three capital letters (ISO 3166-1), e.g. MYS.',
  'rule.credit-note-negative':
    'The amounts of a credit note are negative: write them with a minus sign. The gateway does not change the sign.',
  'rule.credit-note-totals-negative':
    'The amounts in the totals of a credit note are negative. Ignore this warning if the value is not an amount.',
  'rule.debit-note-positive':
    'The amounts of a debit note are positive: write them without a minus sign. The gateway does not change the sign.',
  'rule.debit-note-totals-positive':
    'The amounts in the totals of a debit note are positive. Ignore this warning if the value is not an amount.',
  'rule.doc-number-empty': 'A document should have a document number.',
  'rule.doc-type-unknown': 'This document type is not in the list.',
  'rule.extra-names-known-member': 'An additional value is sent instead of a field of the form.',
  'rule.lines-empty': 'A document should have at least one line.',
  'rule.mixed-signs': 'The document has both positive and negative amounts. Check that this is intended.',
  'rule.more-problems': 'There are more than 200 problems. The others are not listed.',
  'rule.not-sent-original-missing':
    'The original of this note is in the same list and was not imported, so the note was not sent. Import the note by itself if the service already has its original.',
  'rule.postcode': 'The postcode should have five digits.',
  'rule.reference-required': 'A credit, debit or refund note must name the document number of its original.',
  'rule.refund-note-negative':
    'The amounts of a refund note are negative when they reduce the original and confirm money returned.',
  'rule.refused-by-service': 'The service refused the input.',
  'rule.reported-by-service': 'The service did not do everything that was asked.',
  'rule.self-billed-sign':
    'The amounts of a self-billed note should have the same sign as those of a note that is not self-billed.',
  'rule.state-code': 'The state should be a code of two digits, 01 to 17.',
  'rule.tax-at-lines-only': 'Taxes belong to the lines, not to the whole document.',
  'rule.tax-type-one': 'A tax must have exactly one type: one of the list, or another one that you write.',
  'rule.tax-type-sst': 'The tax type SST is ambiguous. Choose sales tax or service tax instead.',
  'rule.tax-type-unknown': 'This tax type is not in the list. Write it as another type.',
  'rule.telephone': 'The telephone number should have 8 to 20 digits, optionally after a +.',
  'rule.value-required': 'A value is required here.',
  'rule.xml-children':
    'EInvoice must contain Header, EInvoiceData, SellerAuthentication, TaxSupervisionInfo and TaxBureauSignature, once each and in this order.',
  'rule.xml-doctype': 'The XML must not have a DOCTYPE.',
  'rule.xml-empty': 'The XML must not be empty.',
  'rule.xml-encoding': 'The XML must be encoded in UTF-8.',
  'rule.xml-further-child': 'EInvoice should contain no other elements than its five children.',
  'rule.xml-malformed': 'The XML must be well-formed.',
  'rule.xml-not-checked':
    'The XML declares another encoding than UTF-8: a file is sent without a check of its content, text is sent as UTF-8.',
  'rule.xml-root': 'The root element of the XML must be EInvoice.',
  'rule.xml-too-deep': 'Elements of the XML may be nested at most 64 levels deep.',

  'problem.address-incomplete': '{party}: the address is not complete. Missing: {fields}.',
  'problem.cells-without-column':
    'Cells without a column, because the header is too short or repeats a name: {cells}, the first in row {row}. Only the exported text has them.',
  'problem.extra-replaces': 'An additional value is sent instead of the field “{field}”.',
  'problem.fewer-rows': 'The export has fewer rows ({rows}) than documents ({documents}).',
  'problem.more-like-these': 'More problems like these: {count}.',
  'problem.original-missing': 'A {note} must name the document number of the original {original}.',
  'problem.xml-position': '{problem} See line {line}, column {column}.',

  'expected.country-code': 'ISO 3166-1 alpha-3, e.g. MYS',
  'expected.decimal': 'e.g. 1436.50',
  'expected.one-sign': 'amounts of one sign',
  'expected.one-type': 'one type',
  'expected.postcode': 'five digits',
  'expected.state-code': '01 to 17, two digits',
  'expected.telephone': '8 to 20 digits, optionally after a +',
  'expected.zero-or-less': '0 or less',
  'expected.zero-or-more': '0 or more',

  'document.credit_note': 'credit note',
  'document.debit_note': 'debit note',
  'document.invoice': 'invoice',
  'document.refund_note': 'refund note',
  'document.self_billed_credit_note': 'self-billed credit note',
  'document.self_billed_debit_note': 'self-billed debit note',
  'document.self_billed_invoice': 'self-billed invoice',
  'document.self_billed_refund_note': 'self-billed refund note',

  'field.address': 'Address',
  'field.amount': 'Tax amount',
  'field.amountExclTax': 'Amount without tax',
  'field.buyer': 'Buyer',
  'field.city': 'City',
  'field.contact': 'Contact',
  'field.country': 'Country',
  'field.docNumber': 'Document number',
  'field.docType': 'Document type',
  'field.line1': 'Street',
  'field.lines': 'Lines',
  'field.originalInvoiceCodeNumber': 'Number of the original',
  'field.otherType': 'Other tax type',
  'field.postcode': 'Postcode',
  'field.reference': 'Reference',
  'field.stateCode': 'State',
  'field.supplier': 'Supplier',
  'field.taxes': 'Taxes',
  'field.telephone': 'Telephone',
  'field.totals': 'Totals',
  'field.type': 'Tax type',
} as const;

export type TextKey = keyof typeof en;

export type Translation = Readonly<Record<TextKey, string>>;
