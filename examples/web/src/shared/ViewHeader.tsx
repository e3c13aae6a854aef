import type { ReactNode } from 'react';

interface ViewHeaderProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** The heading takes the focus when its view is opened, so that a screen reader says where one is. */
export function ViewHeader({ title, children }: ViewHeaderProps) {
  return (
    <header className="view-header">
      <h1 tabIndex={-1}>{title}</h1>
      <p>{children}</p>
    </header>
  );
}
