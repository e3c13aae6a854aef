import type { ReactNode } from 'react';
import { ScrollBox } from './ScrollBox.tsx';

interface TableBoxProps {
  readonly label: string;
  /** thead and tbody. */
  readonly children: ReactNode;
}

/** A table that scrolls in its box when it is wider than the page. */
export function TableBox({ label, children }: TableBoxProps) {
  return (
    <ScrollBox label={label} className="table-box">
      <table className="table">{children}</table>
    </ScrollBox>
  );
}
