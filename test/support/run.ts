import { expect } from 'vitest';
import type { TypedDocumentString } from '../generated/graphql.ts';
import { alice, type TestGateway } from './gateway.ts';

/** Runs an operation that must succeed, and returns its data. */
export async function run<Result, Variables extends object>(
  gateway: TestGateway,
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  headers = alice,
): Promise<Result> {
  const { data, errors } = await gateway.ask(document.toString(), variables, headers);
  expect(errors).toBeUndefined();
  return data;
}
