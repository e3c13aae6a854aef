/** Bounds the suggestions in messages ("Did you mean …"), which graphql-js finds in time by the length of a value. */
import { GraphQLEnumType, type GraphQLSchema, isEnumType } from 'graphql';
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
