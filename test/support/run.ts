import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import { expect } from 'vitest';
import type { TestGateway } from './gateway.ts';

/** Runs an operation that must succeed, and returns its data. */
export async function run<Result, Variables extends object>(
  gateway: TestGateway,
  document: TypedDocumentNode<Result, Variables>,
  variables: Variables,
): Promise<Result> {
  const { data, errors } = await gateway.ask(print(document), variables);
  expect(errors).toBeUndefined();
  return data;
}
