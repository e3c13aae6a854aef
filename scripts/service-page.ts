/** Writes the table of assumptions into `docs/service.md`; the rest of the page is written by hand. */
import { assumptions } from './prove/assumptions.ts';

const heading = '## Assumptions\n';

const introduction = `${heading}
What Folio assumes where nothing is stated. Doubt is never a reason to refuse an input or to hide a response: it is a warning, or drift. This table is generated from \`scripts/prove/assumptions.ts\`: edit it there.

| name | assumption | what happens if it is wrong | where it is changed |
| --- | --- | --- | --- |
`;

export function servicePage(current: string): string {
  const [described = ''] = current.split(heading);
  const rows = assumptions.map(
    ({ id, assumption, ifWrong, changedBy }) => `| ${id} | ${assumption} | ${ifWrong} | ${changedBy} |\n`,
  );
  return `${described}${introduction}${rows.join('')}`;
}
