import type { ReactNode } from 'react';

interface ViewHeaderProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** The heading gets the focus when its view is opened, so that a screen reader announces the view. */
export function ViewHeader({ title, children }: ViewHeaderProps) {
  return (
    <header className="view-header">
      <h1 tabIndex={-1}>{title}</h1>
      <p>{children}</p>
    </header>
  );
}
