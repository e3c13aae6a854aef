import { useMemo, useState } from 'react';
import { t } from '../language/language.ts';
import { Button } from '../shared/Button.tsx';
import { download } from '../shared/download.ts';
import { Panel } from '../shared/Panel.tsx';
import type { Problem } from '../shared/problem.ts';
import { TableBox } from '../shared/TableBox.tsx';
import { Warnings } from '../shared/Warnings.tsx';
import { parseCsv, safeCsv } from './csv.ts';
import { words } from './words.ts';

interface ExportedTableProps {
  readonly csv: string;
  readonly message: string;
  readonly warnings: readonly Problem[];
}

export function ExportedTable({ csv, message, warnings }: ExportedTableProps) {
  const table = useMemo(() => parseCsv(csv), [csv]);
  const [isUnfolded, setUnfolded] = useState(false);
  const emptyCount = table.isEmpty.filter(Boolean).length;
  const shown = table.columns.map((_, index) => index).filter((index) => isUnfolded || !table.isEmpty[index]);

  return (
    <Panel
      title={
        table.rows.length === 1 ? t(words.oneDocument) : t(words.documents, { count: table.rows.length })
      }
      aside={
        <Button onClick={() => download('folio-export.csv', 'text/csv;charset=utf-8', safeCsv(table))}>
          {t(words.download)}
        </Button>
      }
    >
      <div className="stack">
        {message !== '' && <p role="status">{message}</p>}
        <Warnings warnings={warnings} />
        <TableBox label={t(words.exported)}>
          <thead>
            <tr>
              {shown.map((index) => (
                <th key={index} scope="col">
                  {table.columns[index]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row) => (
              <tr key={row.join('\u0000')}>
                {shown.map((index) => (
                  <td key={index} className="export-cell">
                    {row[index]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </TableBox>
        <div className="row">
          {emptyCount > 0 && (
            <Button aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
              {t(isUnfolded ? words.fold : words.unfold, { count: emptyCount })}
            </Button>
          )}
          <p className="hint">{t(words.apostrophe)}</p>
        </div>
      </div>
    </Panel>
  );
}
