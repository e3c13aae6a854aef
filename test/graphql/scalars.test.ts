import { isScalarType, isSpecifiedScalarType } from 'graphql';
import { expect, it } from 'vitest';
import { schema } from '../../src/schema.ts';

const scalars = Object.values(schema.getTypeMap())
  .filter(isScalarType)
  .filter((type) => !isSpecifiedScalarType(type));

it('the schema has custom scalars', () => {
  expect(scalars.map(({ name }) => name)).toContain('Decimal');
});

it.each(scalars.map((scalar) => [scalar.name, scalar] as const))(
  '%s names its specification with @specifiedBy',
  (_name, { specifiedByURL }) => {
    expect(specifiedByURL).toMatch(
      /^https:\/\/(www\.rfc-editor\.org\/rfc\/rfc\d+#section-[\d.]+|github\.com\/)/,
    );
  },
);
