/** What a variable becomes inside of a literal of JSON, such as `extra: { tin: $tin }`. */
import type { ValidatedExecutionArgs } from 'graphql';
import { jsonObjectScalar } from '../graphql/scalars.ts';

type VariableValues = ValidatedExecutionArgs['variableValues'];

/**
 * Has graphql-js write a variable into a literal of JSON as the JSON that the caller sent, whatever its declared type: an `ID`
 * of digits would become a number, and an enum value could not be read.
 */
export function withJsonVariables<Args extends ValidatedExecutionArgs>(args: Args): Args {
  if (!args.operation.variableDefinitions?.length) return args;
  const { coerced } = args.variableValues;
  const sources: Record<string, VariableValues['sources'][string]> = Object.create(null);
  for (const [name, source] of Object.entries(args.variableValues.sources)) {
    sources[name] = { ...source, signature: { ...source.signature, type: jsonObjectScalar } };
  }
  return { ...args, variableValues: { coerced, sources } };
}
