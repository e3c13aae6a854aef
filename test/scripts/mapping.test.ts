/** The page of members and fields is complete in both directions: every member of the service, every field of the schema. */
import { readFileSync } from 'node:fs';
import { isInputObjectType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { endpointMappings, fieldsOfFolio } from '../../scripts/mapping.ts';
import { columns as exportColumns } from '../../src/features/document-export/documented-columns.ts';
import { schema } from '../../src/schema.ts';

/** The sections of docs/service.md that describe an endpoint: title and text. */
const sections = readFileSync('docs/service.md', 'utf8')
  .split('\n## ')
  .filter((section) => /`(GET|POST) \//.test(section))
  .map((section) => [section.slice(0, section.indexOf('\n')), section] as const);

/** Words of these sections that are values, or elements of an XML document, and not members. */
const values =
  'Date Text SST invoice credit_note debit_note refund_note self_billed_ EInvoice Header EInvoiceData ' +
  'SellerAuthentication TaxSupervisionInfo TaxBureauSignature';

/** The names of members in a section: `name`, `outer.name`, `names[]`, `{ name, other: VALUE }` and `{name}` in a path. */
function membersIn(section: string): string[] {
  const names = [...section.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) =>
    /^[\w.[\]]+$/.test(code)
      ? partsOf(code)
      : [...code.matchAll(/(\w+)(?=[:,]| ?\})/g)].map(([name]) => name),
  );
  return [...new Set(names)].filter(
    (name) => !values.split(' ').includes(name) && !/^[A-Z_]{4,}$/.test(name),
  );
}

const partsOf = (path: string) => path.split(/[.[\]\s]+/).filter((part) => part !== '');

const rows = endpointMappings.flatMap(({ request, response }) => [...request, ...response]);
const members = rows.map(({ member }) => member);

describe('the page of members and fields', () => {
  it.each(sections)('names every member of "%s"', (title, section) => {
    const mapping = endpointMappings.find((candidate) => candidate.title === title);
    const rows = [...(mapping?.request ?? []), ...(mapping?.response ?? [])].map(({ member }) => member);
    expect(membersIn(section)).not.toEqual([]);
    expect(membersIn(section).filter((name) => !rows.flatMap(partsOf).includes(name))).toEqual([]);
  });

  it('names the eight elements of a box, and every column of an export', () => {
    const boxes = Array.from({ length: 8 }, (_, at) => `scanDocuments.data.*.matches[].value[${at}]`);
    const columns = exportColumns.map(({ header }) => `column ${header}`);
    expect([...boxes, ...columns].filter((member) => !members.includes(member))).toEqual([]);
  });

  it('has the sections of the endpoints that the interface describes', () => {
    expect(endpointMappings.map(({ title }) => title)).toEqual(sections.map(([title]) => title));
  });

  it('names every field of the schema', () => {
    const names = [...rows.map(({ fields }) => fields), ...Object.values(fieldsOfFolio(schema))];
    const mapped = new Set(names.flatMap((list) => list.split(', ')));
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    const fields = Object.values(schema.getTypeMap()).flatMap((type) => {
      const hasFields = isObjectType(type) || isInputObjectType(type);
      if (!hasFields || type.name.startsWith('__') || roots.some((root) => root === type)) return [];
      // A draft has the fields of the input that it becomes.
      const typeName = type.name.replace(/DraftInput$/, 'Input');
      return mapped.has(`${typeName}.*`)
        ? []
        : Object.keys(type.getFields()).map((name) => `${typeName}.${name}`);
    });
    expect(fields.length).toBeGreaterThan(150);
    expect(fields.filter((field) => !mapped.has(field))).toEqual([]);
  });
});
