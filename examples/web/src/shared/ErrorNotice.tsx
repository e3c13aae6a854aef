import type { CombinedError } from '@urql/core';
import { useMemo } from 'react';
import { failureOf } from '../gateway/failure.ts';
import { FailureNotice } from './FailureNotice.tsx';

interface ErrorNoticeProps {
  readonly error: CombinedError;
  readonly isKeyed?: boolean;
  onRetry?(): void;
}

export function ErrorNotice({ error, ...rest }: ErrorNoticeProps) {
  const failure = useMemo(() => failureOf(error), [error]);
  return <FailureNotice failure={failure} {...rest} />;
}
