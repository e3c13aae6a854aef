/** The text of an operation is parsed and checked, and what is wrong with it costs little to report. */
import { expect, it, vi } from 'vitest';
import { maskError } from '../../src/operation/error-masking.ts';
import type { OperationRefusedError } from '../../src/operation/operation-request.ts';
import { createDocumentParser } from '../../src/operation/valid-document.ts';
import { schema } from '../../src/schema.ts';

const parse = createDocumentParser(schema, false);

it('the lines of a refused text are searched once for each error, not for each step of its masking', () => {
  const search = vi.spyOn(String.prototype, 'matchAll');
  const fields = Array.from({ length: 15 }, (_, at) => `unknown${at}`).join(' ');
  try {
    parse(`${'\n'.repeat(60_000)}{ ${fields} }`, '');
  } catch (error) {
    const { errors, code } = error as OperationRefusedError;
    for (const reason of errors) maskError(reason, { requestId: 'refused', code });
  }
  expect(search.mock.calls).toHaveLength(15);
  search.mockRestore();
});

it('a text nested too deep for the parser is refused as one that cannot be parsed', () => {
  const deep = `{ a(b: ${'['.repeat(1_900)}) }`;
  expect(() => parse(deep, '')).toThrow(expect.objectContaining({ code: 'GRAPHQL_PARSE_FAILED' }));
});
