import { alsoInLowerCase, type Values, type VariableName, variables } from './variables.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigurationProblem {
  readonly variable: VariableName;
  /** Follows the variable's name, e.g. `must be true or false`. Never contains the variable's value. */
  readonly message: string;
}

/** Parses each variable alone. A refused one is missing from `values`; the caller throws the problems before it matters. */
export function readVariables(env: Environment) {
  const values: Record<string, unknown> = {};
  const problems: ConfigurationProblem[] = [];
  for (const variable of Object.keys(variables) as VariableName[]) {
    const { schema, whenUnset } = variables[variable];
    const text = textOf(env, variable);
    const read = text ? schema.safeParse(text) : { success: true, data: whenUnset };
    if (read.success) values[variable] = read.data;
    else {
      problems.push({ variable, message: `must be ${schema.description}${without(text)}` });
    }
  }
  return { values: values as Values, problems };
}

/** What is easily overlooked at the ends of a value: a line break of a file or of Windows, and quotes that Docker keeps. */
function without(text = ''): string {
  if (text !== text.trim()) return ', without white space at its ends';
  return /^(["']).*\1$/.test(text) ? ', without quotation marks around it' : '';
}

/** The value of a variable as it is set; undefined or empty when it is not. */
export function textOf(env: Environment, variable: VariableName): string | undefined {
  return env[variable] || (alsoInLowerCase.includes(variable) ? env[variable.toLowerCase()] : undefined);
}
