import { afterEach, describe, expect, it } from 'vitest';
import { mutate } from '../../scripts/mutants.ts';

type Scope = { __mutant?: ((id: number) => boolean) | undefined };

afterEach(() => {
  (globalThis as Scope).__mutant = undefined;
});

/** The value of an expression with one mutant active, or none. */
function evaluated(expression: string, active?: number): unknown {
  (globalThis as Scope).__mutant = (id) => id === active;
  return new Function(`return ${mutate('expression.ts', expression, 0).text}`)();
}

describe('the mutants of an expression', () => {
  it.each<[string, unknown, unknown]>([
    ['1 === 2', false, true],
    ['3 < 3', false, true],
    ['true && false', false, true],
    ['4 + 3', 7, 1],
    ['!true', false, true],
    ['true ? 5 : 6', 5, 6],
    ['0', 0, 1],
    ['(1 + 2) * 3', 9, 1],
    ['[1, 2, 3].filter((n) => n > 1 && n !== 3)', [2], [2, 2]],
  ])('%s is %s, and %s with the first one active', (expression, unchanged, changed) => {
    expect(evaluated(expression)).toEqual(unchanged);
    expect(evaluated(expression, 0)).toEqual(changed);
  });

  it('are numbered from the first id, with their lines', () => {
    const { mutants } = mutate('a.ts', 'const a = 1;\nconst b = a > 2;\n', 10);
    expect(mutants.map(({ id, line, before, after }) => [id, line, before, after])).toEqual([
      [10, 1, '1', '(1 * 2 || 1)'],
      [11, 2, 'a > 2', '(a) >= (2)'],
      [12, 2, '2', '(2 * 2 || 1)'],
    ]);
  });

  it('are none in types, imports and names of members', () => {
    const source = "import { a } from './1.ts';\ntype B = 1 | true;\nexport const c = { 2: a as B };\n";
    expect(mutate('a.ts', source, 0)).toEqual({ text: source, mutants: [] });
  });
});
