import type { ReactNode } from 'react';

export function Loading({ children }: { readonly children: ReactNode }) {
  return (
    <p className="loading" role="status">
      <span className="spinner" aria-hidden="true" />
      {children}
    </p>
  );
}
