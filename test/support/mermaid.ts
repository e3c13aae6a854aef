/** Checks Mermaid sequence diagrams. Supports the syntax that this project uses; any other line is a problem. */

const arrow = /^([\w ]+?)(-->>|->>|--\)|-\))([\w ]+): (.+)$/;
const note = /^Note (?:over|left of|right of) ([\w ,]+): (.+)$/;

/** The problems of the diagram; empty when there are none. */
export function problemsOfSequenceDiagram(text: string): string[] {
  const problems: string[] = [];
  const declared = new Set<string>();
  const used = new Set<string>();
  const open: string[] = [];
  const [first, ...lines] = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (first !== 'sequenceDiagram') problems.push(`begins with "${first}"`);

  for (const line of lines) {
    const participant = /^participant (\w+)( as .+)?$/.exec(line)?.[1];
    const message = arrow.exec(line);
    const over = note.exec(line)?.[1];
    const block = /^(loop|opt|alt|par) .+$/.exec(line)?.[1];
    if (participant !== undefined) declared.add(participant);
    else if (message !== null) for (const name of [message[1], message[3]]) used.add(name as string);
    else if (over !== undefined) for (const name of over.split(',')) used.add(name.trim());
    else if (block !== undefined) open.push(block);
    else if (/^else( .+)?$/.test(line) && open.at(-1) === 'alt') continue;
    else if (/^and( .+)?$/.test(line) && open.at(-1) === 'par') continue;
    else if (line === 'end' && open.length > 0) open.pop();
    else problems.push(`cannot read "${line}"`);
  }
  for (const name of declared.symmetricDifference(used))
    problems.push(`"${name}" is ${declared.has(name) ? 'declared and not used' : 'used and not declared'}`);
  for (const block of open) problems.push(`"${block}" has no end`);
  return problems;
}
