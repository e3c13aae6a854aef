/** A table in Markdown. */
import { type Spread, spreadOf } from './interleave.ts';

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** `min – **median** – max`; a single value alone. */
export function spread(values: readonly number[], digits: number): string {
  const { min, median, max }: Spread = spreadOf(values);
  const written = (value: number) => (Number.isNaN(value) ? '–' : value.toFixed(digits));
  return values.length < 2 || Number.isNaN(median)
    ? written(median)
    : `${written(min)} – **${written(median)}** – ${written(max)}`;
}

export function median(values: readonly number[], digits: number): string {
  const { median: value } = spreadOf(values);
  return Number.isNaN(value) ? '–' : value.toFixed(digits);
}

/** A line of a list that states whether a goal was met. */
export function goalLine(name: string, said: string, value: number, bound: number, digits = 2): string {
  const verdict = value <= bound ? 'met' : '**missed**';
  return `- ${name}: ${said} ≤ ${bound.toFixed(digits)}: ${value.toFixed(digits)}, ${verdict}`;
}
