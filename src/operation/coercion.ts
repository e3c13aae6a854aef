/** Adjusts how graphql-js coerces values: the suggestions of its messages ("Did you mean …"), and variables inside of JSON. */
import { GraphQLEnumType, type GraphQLSchema, isEnumType, type ValidatedExecutionArgs } from 'graphql';
import { jsonObjectScalar } from '../graphql/scalars.ts';
import { shortened } from '../tools/shortened.ts';

/** Memory of variables (bytes) up to which an unknown member in them gets a suggestion: 256 KiB, as finding one takes 100 ns a character. */
const maxSuggestedBytes = 256 * 1_024;
/** Longest value of an enum that is compared with its names, in characters: no name is as long. */
const longestName = 100;

/** Whether messages about the variables have no suggestions. They would show names of a schema that callers may not read. */
export function hidesSuggestions(introspection: boolean, variableBytes: number): boolean {
  return !introspection || variableBytes > maxSuggestedBytes;
}

/** graphql-js compares a wrong value with every name of its enum: 300 ms for one of 3 MB, also where it hides the result. */
export function boundSuggestions(schema: GraphQLSchema): void {
  const { coerceInputValue } = GraphQLEnumType.prototype;
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isEnumType(type)) continue;
    type.coerceInputValue = (value, isHidden) => {
      const text = typeof value === 'string' ? shortened(value, longestName) : value;
      return coerceInputValue.call(type, text, isHidden || typeof value === 'object');
    };
  }
}

/**
 * Has graphql-js write a variable into a literal of JSON, such as `extra: { tin: $tin }`, as the JSON that the caller sent,
 * whatever its declared type: an `ID` of digits would become a number, and an enum value could not be read. Changes the
 * signatures of this execution: its variables have been coerced.
 */
export function writeVariablesAsJson({ variableValues }: ValidatedExecutionArgs): void {
  for (const { signature } of Object.values(variableValues.sources))
    Object.assign(signature, { type: jsonObjectScalar });
}
