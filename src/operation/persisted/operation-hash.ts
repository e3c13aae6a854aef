/** The hash that identifies a persisted operation: the SHA-256 of its text. */
import { createHash } from 'node:crypto';

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** GraphQL over HTTP writes the algorithm before the hash in `documentId`, and graphql-codegen in all places. */
export function hashIn(id: string): string {
  return id.replace(/^sha256:/, '');
}

/** A SHA-256 in lowercase hexadecimal digits. */
export const hashForm = /^[\da-f]{64}$/;
