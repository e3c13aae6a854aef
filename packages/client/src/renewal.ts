/** What an operation needs when its token has expired. */
import { hasWritten } from './retry-rule.ts';

interface Failure {
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

interface Refused {
  readonly kind: string;
  readonly data?: Readonly<Record<string, unknown>> | null | undefined;
  readonly errors: readonly Failure[];
}

export function isUnauthenticated({ extensions }: Failure): boolean {
  return extensions?.['code'] === 'UNAUTHENTICATED';
}

/**
 * Whether the whole operation can be sent again with a renewed token: a read, or a mutation of which nothing was done.
 * When a part of a mutation was done, only its other parts may be sent again: see list-of-writes.ts.
 */
export function mayRepeatRenewed({ kind, data, errors }: Refused): boolean {
  if (!errors.some(isUnauthenticated)) return false;
  if (kind === 'query') return true;
  return (
    kind === 'mutation' &&
    !hasWritten(data) &&
    errors.every((error) => isUnauthenticated(error) && error.extensions?.['sideEffect'] === 'NONE')
  );
}
