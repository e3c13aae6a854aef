/** One table gives the checks, `gatewayInfo.rules`, the page of rules and the keys of a translation. */
import { describe, expect, it } from 'vitest';
import { xmlRules } from '../../src/features/fapiao/xml-rule-table.ts';
import { invoiceRules } from '../../src/features/malaysia/invoice-rule-table.ts';
import { registerRules } from '../../src/graphql/rule-catalogue.ts';
import { gatewayWith } from '../support/lifetimes.ts';

const { service, gateway } = await gatewayWith({
  MAX_UPLOAD_BYTES: '5000000000',
  MAX_XML_BYTES: '4096',
  MAX_OPERATION_COST: '101',
});

async function rules(): Promise<Record<'rule' | 'severity' | 'appliesTo' | 'summary', string>[]> {
  const query = '{ gatewayInfo { rules { rule severity appliesTo summary } } }';
  return (await gateway.ask(query, {}, {})).data.gatewayInfo.rules;
}

describe('gatewayInfo', () => {
  it('returns the limits of this gateway without credentials and without a call', async () => {
    const limits = {
      ...{ maxUploadBytes: 5_000_000_000, maxXmlBytes: 4_096, maxRequestBytes: 4_194_304 },
      ...{ maxBatchSize: 100, maxDocumentIds: 1_000, maxOperationCost: 101, maxOperationDepth: 8 },
    };
    const query = `{ gatewayInfo { limits { ${Object.keys(limits).join(' ')} } } }`;
    expect((await gateway.ask(query, {}, {})).data.gatewayInfo.limits).toEqual(limits);
    expect(service.received).toEqual([]);
  });

  it('returns every rule of every table once, errors before warnings', async () => {
    const rows = await rules();
    const own = [...Object.keys(invoiceRules), ...Object.keys(xmlRules)];
    const all = [...own, 'refused-by-service', 'reported-by-service'];
    expect(rows.map(({ rule }) => rule).sort()).toEqual(all.sort());
    const severities = rows.map(({ severity }) => severity);
    expect(severities).toEqual([...severities].sort());
    for (const row of rows) {
      expect(row.rule).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(row.summary).toMatch(/^\S.*\.$/);
      expect(row.appliesTo).not.toBe('');
    }
  });
});

it('a rule cannot be in two tables', () => {
  const row = { severity: 'ERROR', appliesTo: 'a' } as const;
  expect(() => registerRules({ 'xml-root': row })).toThrow('xml-root is in two tables');
});
