/** The rules on the supplier and the buyer. */
import { describe, expect, it } from 'vitest';
import { checkInvoice } from '../../../src/features/malaysia/invoice-rules.ts';
import { anInvoice, aParty } from '../../support/an-invoice.ts';
import { first, found } from '../../support/invoice-problems.ts';

describe.each([
  ['supplier', 'Supplier'],
  ['buyer', 'Buyer'],
] as const)('the %s', (party, label) => {
  const withAddress = (address: object) =>
    anInvoice({ [party]: aParty({ address: { ...aParty().address, ...address } }) });
  const withTelephone = (telephone: string | null) =>
    anInvoice({ [party]: aParty({ contact: { telephone } }) });
  const noAddress = `WARNING address-recommended invoice.${party}.address`;
  const noContact = `WARNING contact-recommended invoice.${party}.contact.telephone`;

  it.each([
    ['line1', 'Street'],
    ['city', 'City'],
    ['stateCode', 'State'],
    ['postcode', 'Postcode'],
    ['country', 'Country'],
  ])('address-recommended: warns of an address without %s', (field, missing) => {
    for (const value of [undefined, null, ' ']) {
      const invoice = withAddress({ [field]: value });
      expect(found(invoice)).toEqual([noAddress]);
      expect(first(invoice).message).toBe(`${label}: the address is not complete. Missing: ${missing}.`);
    }
  });

  it.each([undefined, null, {}])(
    'causes one warning each for an address and a contact that are %j',
    (absent) => {
      expect(found(anInvoice({ [party]: absent }))).toEqual([noAddress, noContact]);
      expect(found(anInvoice({ [party]: aParty({ contact: absent }) }))).toEqual([noContact]);
      const invoice = anInvoice({ [party]: aParty({ address: absent }) });
      expect(found(invoice)).toEqual([noAddress]);
      expect(first(invoice).message).toContain('Missing: Street, City, State, Postcode, Country.');
    },
  );

  it('can have its recommended fields among its extra members', () => {
    const { address, contact } = aParty();
    expect(found(anInvoice({ [party]: { extra: { ...address, ...contact } } }))).toEqual([]);
    expect(found(anInvoice({ [party]: { contact, extra: { ...address, city: ' ' } } }))).toEqual([noAddress]);
  });

  const states = Array.from({ length: 17 }, (_, index) => String(index + 1).padStart(2, '0'));
  it.each<[string, string, string[], string[]]>([
    ['01 to 17', 'stateCode', states, ['00', '18', '1', '001', '010', 'KUL', '14 ', '14\n', '１４']],
    ['five digits', 'postcode', ['00000', '09999'], ['5000', '500000', '5000A', ' 50000', '50000\n']],
    ['three capitals', 'country', ['MYS', 'SGP'], ['MY', 'mys', 'MYSA', 'Malaysia', '458', 'MYS\n']],
  ])('should have an address with %s as its %s', (_form, field, accepted, others) => {
    for (const value of accepted) expect(found(withAddress({ [field]: value }))).toEqual([]);
    const rule = { stateCode: 'state-code', country: 'country-code' }[field] ?? field;
    const problem = `WARNING ${rule} invoice.${party}.address.${field}`;
    for (const value of others) expect(found(withAddress({ [field]: value }))).toEqual([problem]);
  });

  it('has the expected and the actual value in a problem of its state', () => {
    expect(first(withAddress({ stateCode: 'KUL' }))).toMatchObject({
      message: 'The state should be a code of two digits, 01 to 17.',
      expected: '01 to 17, two digits',
      actual: 'KUL',
    });
  });

  it('telephone: accepts 8 to 20 digits, optionally after a +, only', () => {
    for (const telephone of ['12345678', `+${'1'.repeat(20)}`])
      expect(found(withTelephone(telephone))).toEqual([]);
    for (const telephone of ['1234567', '1'.repeat(21), '03-2000 0000', '++12345678', '12345678+'])
      expect(found(withTelephone(telephone))).toEqual([
        `WARNING telephone invoice.${party}.contact.telephone`,
      ]);
    for (const telephone of [null, ' ']) expect(found(withTelephone(telephone))).toEqual([noContact]);
  });

  it('has no telephone number and at most 20 characters of a value repeated in a problem', () => {
    expect(JSON.stringify(checkInvoice(withTelephone('03-2000-7777')))).not.toContain('7777');
    expect(first(withAddress({ postcode: '7'.repeat(100) })).actual).toBe('7'.repeat(20));
  });
});
