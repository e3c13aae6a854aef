import { type ReactNode, useId } from 'react';

interface PanelProps {
  readonly title: string;
  /** Next to the title: a count, a state or an action. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function Panel({ title, aside, children }: PanelProps) {
  const titleId = useId();
  return (
    <section className="panel" aria-labelledby={titleId}>
      <header className="panel-header">
        <h2 id={titleId}>{title}</h2>
        {aside}
      </header>
      <div className="panel-body">{children}</div>
    </section>
  );
}
