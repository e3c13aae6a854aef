/** Searches for the operation that costs most for its bytes: the best ones found so far are changed at random. */
import { alice } from '../support/gateway.ts';
import type { Random } from '../support/random.ts';

/** What an operation is made of. */
interface Genome {
  readonly field: number;
  /** Selections of the root field. */
  readonly roots: number;
  /** Aliases of each field of the selection. */
  readonly aliases: number;
  /** Levels of fragments, each of which spreads the next several times. */
  readonly levels: number;
  readonly spreads: number;
  /** Length of lists and texts of variables. */
  readonly length: number;
}

interface Field {
  readonly operation: 'query' | 'mutation';
  /** The root field with its arguments; `$list` and `$json` are variables. */
  readonly call: string;
  readonly type: string;
  readonly leaves: readonly string[];
  readonly variables: (length: number) => Readonly<Record<string, unknown>>;
  readonly declared: string;
}

const none = { variables: () => ({}), declared: '' };
const ids = (length: number) =>
  Array.from({ length: Math.min(length, 1_000) }, (_, index) => String(index + 1));

const fields: readonly Field[] = [
  {
    operation: 'query',
    call: 'mexicoValidation(by: { documentId: "1001" })',
    type: 'MexicoValidation',
    leaves: ['result', 'documentId', 'rawResult'],
    ...none,
  },
  {
    operation: 'query',
    call: 'malaysiaStatuses(documentIds: $list)',
    type: 'MalaysiaStatus',
    leaves: ['state', 'documentId', 'raw'],
    declared: '($list: [ID!]!)',
    variables: (length) => ({ list: ids(length).slice(0, 100) }),
  },
  {
    operation: 'mutation',
    call: 'exportDocuments(input: { documentIds: $list })',
    type: 'ExportResult',
    leaves: ['csv', 'rowCount', 'columns'],
    declared: '($list: [ID!]!)',
    variables: (length) => ({ list: ids(length) }),
  },
  {
    operation: 'mutation',
    call: 'createFapiao(input: { document: { xml: $xml } })',
    type: 'Fapiao',
    leaves: ['__typename'],
    declared: '($xml: String!)',
    variables: (length) => ({ xml: '<a>'.repeat(length * 100) }),
  },
];

export interface CostlyOperation {
  readonly body: string;
  readonly genome: Genome;
}

export class Search {
  readonly #random: Random;
  /** The best ones, the first with the highest merit. */
  readonly #best: {
    readonly genome: Genome;
    readonly merit: number;
    readonly cpuMs: number;
    readonly bytes: number;
  }[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  next(): CostlyOperation {
    const random = this.#random;
    const known = this.#best.length > 0 && random.chance(0.7) ? random.pick(this.#best).genome : undefined;
    const number = (name: keyof Genome, most: number) =>
      known && random.chance(0.7) ? known[name] : 1 + random.below(random.pick([2, 10, most]));
    const genome = {
      field: number('field', fields.length) % fields.length,
      roots: number('roots', 20),
      aliases: number('aliases', 30),
      levels: number('levels', 6),
      spreads: number('spreads', 10),
      length: number('length', 1_000),
    };
    return { genome, body: bodyOf(genome) };
  }

  /** `memoryBytes`: growth of the heap. */
  report({ genome, body }: CostlyOperation, cpuMs: number, memoryBytes: number): void {
    const merit = (cpuMs ** 2 * Math.sqrt(Math.max(1, memoryBytes))) / body.length;
    this.#best.push({ genome, merit, cpuMs, bytes: body.length });
    this.#best.sort((one, other) => other.merit - one.merit).splice(10);
  }

  worst() {
    return this.#best[0];
  }
}

function bodyOf({ field, roots, aliases, levels, spreads, length }: Genome): string {
  const { operation, call, type, leaves, declared, variables } = fields[field] as Field;
  const selected = leaves.flatMap((leaf) =>
    Array.from({ length: aliases }, (_, index) => `a${index}${leaf.replaceAll('_', '')}: ${leaf}`),
  );
  const fragments = [`fragment F0 on ${type} { ${selected.join(' ')} }`];
  for (let level = 1; level < levels; level += 1) {
    fragments.push(`fragment F${level} on ${type} { ${`...F${level - 1} `.repeat(spreads)} }`);
  }
  const calls = Array.from(
    { length: roots },
    (_, index) => `r${index}: ${call} { ...F${fragments.length - 1} }`,
  );
  const query = `${operation}${declared} { ${calls.join(' ')} } ${fragments.join(' ')}`;
  return JSON.stringify({ query, variables: variables(length) });
}

export const headers = { 'content-type': 'application/json', ...alice };
