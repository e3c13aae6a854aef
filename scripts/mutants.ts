/** Finds places where a program can be changed by one operator, constant or condition. */
import { parseSync } from 'vite';

export interface Mutant {
  readonly id: number;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

interface Place {
  readonly start: number;
  readonly end: number;
  readonly after: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

const operators: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};

/** Members of a syntax tree that hold no expression which could be changed. */
const skipped = new Set([
  'typeAnnotation',
  'returnType',
  'typeParameters',
  'typeArguments',
  'superTypeArguments',
  'source',
  'key',
]);

/**
 * The source with every mutant in it, each inactive: `globalThis.__mutant(id)` chooses the changed expression
 * where it returns true. `firstId`: the id of the first mutant of this file.
 */
export function mutate(file: string, source: string, firstId: number): { text: string; mutants: Mutant[] } {
  const places: Place[] = [];
  collect(parseSync(file, source).program as unknown as Node);

  function collect(node: Node): void {
    if (node.type.startsWith('TS') && !expressionWrappers.has(node.type)) return;
    if (node.type.startsWith('Import') || node.type === 'ExportAllDeclaration') return;
    const after = changed(node);
    if (after !== undefined) places.push({ start: node.start, end: node.end, after });
    for (const [member, value] of Object.entries(node)) {
      if (skipped.has(member) && !(member === 'key' && node['computed'] === true)) continue;
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) collect(child);
    }
  }

  function textOf({ start, end }: { start: number; end: number }): string {
    return source.slice(start, end);
  }

  function changed(node: Node): string | undefined {
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression': {
        const operator = operators[String(node['operator'])];
        const [left, right] = [node['left'], node['right']] as [Node, Node];
        return operator && `(${textOf(left)}) ${operator} (${textOf(right)})`;
      }
      case 'UnaryExpression':
        return node['operator'] === '!' ? textOf(node['argument'] as Node) : undefined;
      case 'Literal':
        if (typeof node['value'] === 'boolean') return String(!node['value']);
        return typeof node['value'] === 'number' ? `(${textOf(node)} * 2 || 1)` : undefined;
      case 'ConditionalExpression': {
        const [consequent, alternate] = [node['consequent'], node['alternate']] as [Node, Node];
        return `(${textOf(node['test'] as Node)}) ? (${textOf(alternate)}) : (${textOf(consequent)})`;
      }
      default:
        return undefined;
    }
  }

  const mutants = places.map(({ start, end, after }, index) => ({
    id: firstId + index,
    file,
    line: source.slice(0, start).split('\n').length,
    before: textOf({ start, end }),
    after,
  }));
  const insertions = places.flatMap(({ start, end, after }, index) => [
    { at: start, order: end, text: `(globalThis.__mutant?.(${firstId + index}) ? (${after}) : ` },
    { at: end, order: -start, text: ')' },
  ]);
  // At one position closing parentheses come first, inner ones before outer ones; then outer openings before inner ones.
  insertions.sort(
    (a, b) => a.at - b.at || Number(b.text === ')') - Number(a.text === ')') || b.order - a.order,
  );
  let text = '';
  let from = 0;
  for (const insertion of insertions) {
    text += source.slice(from, insertion.at) + insertion.text;
    from = insertion.at;
  }
  return { text: text + source.slice(from), mutants };
}

const expressionWrappers = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']);

function isNode(value: unknown): value is Node {
  return (
    typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
  );
}
