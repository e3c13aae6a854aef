/** Writes the table of assumptions into `docs/service.md`; the rest of the page is written by hand. */
import { assumptions } from './prove/assumptions.ts';
import { decidable } from './prove/prove.ts';

const heading = '## Assumptions\n';

const introduction = `${heading}
What Folio assumes where nothing is stated. Doubt is never a reason to refuse an input or to hide a response: it is a warning, or drift. This table is generated from \`scripts/prove/assumptions.ts\`: edit it there.

[\`npm run prove\`](operating.md#prove-the-assumptions) tries them at a service. The last column says what decides an assumption: a call that reads, one that writes, or no call.

| name | assumption | what happens if it is wrong | where it is changed | decided by |
| --- | --- | --- | --- | --- |
`;

export function servicePage(current: string): string {
  const [described = ''] = current.split(heading);
  const rows = assumptions.map(({ id, assumption, ifWrong, changedBy }) => {
    const decidedBy = decidable.get(id) ?? '–';
    return `| ${id} | ${assumption} | ${ifWrong} | ${changedBy} | ${decidedBy} |\n`;
  });
  return `${described}${introduction}${rows.join('')}`;
}
