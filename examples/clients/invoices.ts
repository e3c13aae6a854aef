/**
 * What the examples import. The sandbox validates the first invoice and fails the second one. After a reload it rejects the
 * first one as a duplicate.
 */
export const invoices = ['LIVE-1-NOW', 'LIVE-2-FAIL'].map((docNumber) => ({
  queueId: '42',
  invoice: { docType: 'INVOICE' as const, docNumber, lines: [{ amountExclTax: '10.00' }] },
}));
