/** The rules on the supplier and the buyer. */
import { describe, expect, it } from 'vitest';
import { checkInvoice } from '../../../src/features/malaysia/invoice-rules.ts';
import { anInvoice, aParty } from '../../support/an-invoice.ts';
import { first, found } from '../../support/invoice-problems.ts';

describe.each(['supplier', 'buyer'] as const)('the %s', (party) => {
  const withAddress = (address: object) =>
    anInvoice({ [party]: aParty({ address: { ...aParty().address, ...address } }) });
  const withTelephone = (telephone: string | null) =>
    anInvoice({ [party]: aParty({ contact: { telephone } }) });
  const label = party === 'supplier' ? 'Supplier' : 'Buyer';
  const fields = {
    line1: 'Street',
    city: 'City',
    stateCode: 'State',
    postcode: 'Postcode',
    country: 'Country',
  };

  it.each(Object.entries(fields))('address-recommended: warns of an address without %s', (field, missing) => {
    for (const value of [undefined, null, '', ' ']) {
      expect(checkInvoice(withAddress({ [field]: value }))).toMatchObject([
        {
          rule: 'address-recommended',
          severity: 'WARNING',
          path: ['invoice', party, 'address'],
          message: `${label}: the address is not complete. Missing: ${missing}.`,
        },
      ]);
    }
  });

  it('address-recommended: names all missing fields of an address in one warning', () => {
    for (const address of [undefined, null, {}]) {
      const problems = checkInvoice(anInvoice({ [party]: aParty({ address }) }));
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatchObject({
        message: `${label}: the address is not complete. Missing: Street, City, State, Postcode, Country.`,
      });
    }
    expect(first(withAddress({ city: '', country: null })).message).toBe(
      `${label}: the address is not complete. Missing: City, Country.`,
    );
  });

  it('causes one warning for its address and one for its contact if it is absent', () => {
    for (const absent of [undefined, null, {}]) {
      expect(found(anInvoice({ [party]: absent }))).toEqual([
        `WARNING address-recommended invoice.${party}.address`,
        `WARNING contact-recommended invoice.${party}.contact.telephone`,
      ]);
    }
  });

  it('can have its recommended fields among its extra members', () => {
    const { address, contact } = aParty();
    expect(found(anInvoice({ [party]: { extra: { ...address, ...contact } } }))).toEqual([]);
    expect(found(anInvoice({ [party]: { contact, extra: { ...address, city: ' ' } } }))).toEqual([
      `WARNING address-recommended invoice.${party}.address`,
    ]);
  });

  it('contact-recommended: warns of a contact without a telephone number', () => {
    for (const contact of [undefined, null, {}, { telephone: null }, { telephone: ' ' }]) {
      expect(found(anInvoice({ [party]: aParty({ contact }) }))).toEqual([
        `WARNING contact-recommended invoice.${party}.contact.telephone`,
      ]);
    }
  });

  it('state-code: accepts 01 to 17 with two digits only', () => {
    const codes = Array.from({ length: 17 }, (_, index) => String(index + 1).padStart(2, '0'));
    for (const stateCode of codes) expect(found(withAddress({ stateCode }))).toEqual([]);
    for (const stateCode of ['00', '18', '1', '001', '010', 'KUL', '14 ', '14\n', '１４']) {
      expect(checkInvoice(withAddress({ stateCode }))).toMatchObject([
        {
          rule: 'state-code',
          severity: 'WARNING',
          path: ['invoice', party, 'address', 'stateCode'],
          message: 'The state should be a code of two digits, 01 to 17.',
          expected: '01 to 17, two digits',
          actual: stateCode,
        },
      ]);
    }
  });

  it('postcode: accepts five digits only', () => {
    for (const postcode of ['50000', '00000', '09999']) expect(found(withAddress({ postcode }))).toEqual([]);
    for (const postcode of ['5000', '500000', '5000A', ' 50000', '50000\n', '50 000']) {
      expect(found(withAddress({ postcode }))).toEqual([
        `WARNING postcode invoice.${party}.address.postcode`,
      ]);
    }
  });

  it('country-code: accepts three capital letters only', () => {
    for (const country of ['MYS', 'SGP']) expect(found(withAddress({ country }))).toEqual([]);
    for (const country of ['MY', 'mys', 'MYSA', 'Malaysia', '458', 'MYS\n']) {
      expect(found(withAddress({ country }))).toEqual([
        `WARNING country-code invoice.${party}.address.country`,
      ]);
    }
  });

  it('telephone: accepts 8 to 20 digits, optionally after a +, only', () => {
    for (const telephone of ['12345678', '+12345678', '1'.repeat(20), `+${'1'.repeat(20)}`]) {
      expect(found(withTelephone(telephone))).toEqual([]);
    }
    const others = ['1234567', '1'.repeat(21), '03-2000 0000', '++12345678', '12345678+', 'none given'];
    for (const telephone of others) {
      expect(found(withTelephone(telephone))).toEqual([
        `WARNING telephone invoice.${party}.contact.telephone`,
      ]);
    }
  });

  it('has no telephone number and at most 20 characters of a value repeated in a problem', () => {
    expect(JSON.stringify(checkInvoice(withTelephone('03-2000-7777')))).not.toContain('7777');
    expect(first(withAddress({ postcode: '7'.repeat(100) })).actual).toBe('7'.repeat(20));
  });
});
