import { BatchOutcome } from './BatchOutcome.tsx';
import type { BatchRow } from './batch-rows.ts';
import { docTypes } from './draft.ts';
import type { RowOutcome } from './use-batch.ts';

interface BatchTableRowProps {
  readonly row: BatchRow;
  /** undefined: not sent yet. */
  readonly outcome: RowOutcome | undefined;
}

export function BatchTableRow({ row: { number, draft, problems }, outcome }: BatchTableRowProps) {
  const type = docTypes.find(([docType]) => docType === draft.docType)?.[1];
  return (
    <tr>
      <td className="mono">{number}</td>
      <th scope="row">
        {draft.docNumber || <span className="muted">without a number</span>}
        <span className="batch-type">{type}</span>
      </th>
      <td className="batch-outcome">
        <BatchOutcome outcome={problems.length > 0 ? { kind: 'refused', problems } : outcome} />
      </td>
      <td className="batch-amount">{draft.lines[0]?.amountExclTax}</td>
    </tr>
  );
}
