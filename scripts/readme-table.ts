/** Writes the table of operations in README.md: the root fields, by their REST call and credentials. */
import type { GraphQLSchema } from 'graphql';

const head = '| field | REST call | credentials |\n| --- | --- | --- |\n';

export function readmePage(schema: GraphQLSchema, current: string): string {
  const [before = '', after = ''] = current.split(/\| field \| REST call \| credentials \|\n(?:\|.*\n)+/);
  const rows = new Map<string, string[]>();
  for (const type of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const { name, description } of Object.values(type?.getFields() ?? {})) {
      const cells = cellsOf(String(description), type === schema.getSubscriptionType());
      rows.set(cells, [...(rows.get(cells) ?? []), `\`${name}\``]);
    }
  }
  const lines = [...rows].map(([cells, fields]) => `| ${fields.join(', ')} | ${cells} |\n`);
  return `${before}${head}${lines.join('')}${after}`;
}

/** Every description of a root field ends with its credentials; that of a field which calls the service, with its call too. */
function cellsOf(description: string, isSubscription: boolean): string {
  const [, rest = '', credentials = ''] =
    /^.*?(?:REST: (`[^`]+`).*)?Credentials: (.+)\.$/s.exec(description) ?? [];
  const call = rest === '' ? 'none' : `${isSubscription ? 'polls ' : ''}${rest}`;
  return `${call} | ${credentials.includes('does not state') ? 'those that the caller sends' : credentials}`;
}
