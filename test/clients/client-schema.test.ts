/** The operations of the clients, and the schema. That caches know all of its types is tested with them: `client-caches`. */
import { type FieldNode, isObjectType, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { expect, it } from 'vitest';
import { schema } from '../../src/schema.ts';
import { examples } from '../support/examples.ts';

it('the operations of the clients ask for the warnings of every write', () => {
  const types = new TypeInfo(schema);
  const asked = new Set<string>();
  const Field = ({ name }: FieldNode) =>
    void (name.value === 'warnings' && asked.add(String(types.getParentType())));
  visit(examples, visitWithTypeInfo(types, { Field }));
  const warned = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && type.getFields()['warnings'],
  );
  expect([...asked].sort()).toEqual(warned.map(String).sort());
});
