/** What the program prints about its arguments and variables. */
import { configTable, type Environment, secret, textOf, type VariableName, variables } from './variables.ts';

export const args = `Usage: folio [argument], node main.js [argument] or npm start -- [argument]

Without an argument the gateway starts. Its settings are environment variables.

  --check         checks the variables, the files that they name, and that Redis can be used; exit status 0, or 78 with the problems
  --print-config  prints the value of every variable as the lines of an .env file, secrets masked
  --version       prints the version
  --help          prints this text and every variable
`;

export function usage(): string {
  const width = (column: 'name' | 'default') => Math.max(...configTable.map((row) => row[column].length)) + 2;
  const rows = configTable.map(
    (row) => row.name.padEnd(width('name')) + row.default.padEnd(width('default')) + row.description,
  );
  return `${args}\n${rows.join('\n')}`;
}

/** The values in `env` and the defaults, a line each. A variable that is unset and has no default, or is in a file, is a comment. */
export function printedVariables(env: Environment): string {
  return configTable
    .map(({ name, default: preset, isOptional }) => {
      const value = textOf(env, name);
      if (value) return `${name}=${withoutSecrets(name, value)}`;
      const file = `${name}_FILE`;
      if (file in variables && env[file]) return `# ${name} is read from the file of ${file}`;
      return isOptional ? `# ${name} is not set: ${preset}` : `${name}=${preset}`;
    })
    .join('\n');
}

const masked = '[masked]';
const address = /^(?<scheme>[\w+]+:\/\/)(?<user>[^@?#]*@)?(?<rest>[^@?#]*)(?<query>\?[^@#]*)?$/;

/** Masks a secret, and in an address the user info and the query. An address of another form is masked as a whole. */
function withoutSecrets(name: VariableName, value: string): string {
  if (variables[name].schema === secret) return masked;
  if (!value.includes('://')) return value;
  const { scheme, user, rest, query } = address.exec(value)?.groups ?? {};
  if (rest === undefined) return masked;
  return scheme + (user ? `${masked}@` : '') + rest + (query ? `?${masked}` : '');
}
