/** What the examples import: the sandbox validates the first invoice and fails the second one. */
export const invoices = ['LIVE-1-NOW', 'LIVE-2-FAIL'].map((docNumber) => ({
  queueId: '42',
  invoice: { docType: 'INVOICE' as const, docNumber, lines: [{ amountExclTax: '10.00' }] },
}));
