import type { ReactNode } from 'react';

interface ScrollBoxProps {
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Scrolls its content when it is too large, also with the keyboard. */
export function ScrollBox({ label, className = '', children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard (WCAG 2.1.1).
    <section className={`scroll-box ${className}`} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
