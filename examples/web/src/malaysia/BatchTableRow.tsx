import { t } from '../language/language.ts';
import { BatchOutcome } from './BatchOutcome.tsx';
import type { BatchRow } from './batch-rows.ts';
import { docTypeName } from './draft.ts';
import type { RowOutcome } from './use-batch.ts';
import { words } from './words.ts';

interface BatchTableRowProps {
  readonly row: BatchRow;
  /** undefined: not sent yet. */
  readonly outcome: RowOutcome | undefined;
}

export function BatchTableRow({ row: { number, draft, problems }, outcome }: BatchTableRowProps) {
  return (
    <tr>
      <td className="mono">{number}</td>
      <th scope="row">
        {draft.docNumber || <span className="muted">{t(words.withoutNumber)}</span>}
        <span className="batch-type">{docTypeName(draft.docType)}</span>
      </th>
      <td className="batch-outcome">
        <BatchOutcome outcome={problems.length > 0 ? { kind: 'refused', problems } : outcome} />
      </td>
      <td className="batch-amount">{draft.lines[0]?.amountExclTax}</td>
    </tr>
  );
}
