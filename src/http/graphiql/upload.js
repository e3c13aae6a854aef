/**
 * An operation with a file: where its variables hold the placeholder, and the multipart request that sends the file
 * there (https://github.com/jaydenseric/graphql-multipart-request-spec).
 */

/** Marks the place of the file in the variables, as `{ "input": { "file": "$file" } }`. */
export const filePlaceholder = '$file';

/** The path of each placeholder, such as `variables.input.file`. */
export function filePaths(value, path = 'variables') {
  if (value === filePlaceholder) return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => filePaths(member, `${path}.${name}`));
}

/** In the order that the gateway reads: `operations` with null for the file, `map`, then the file. */
export function multipartOf(params, file) {
  const variables = withoutPlaceholders(params.variables);
  const body = new FormData();
  body.set('operations', JSON.stringify({ ...params, variables }));
  body.set('map', JSON.stringify({ 0: filePaths(params.variables) }));
  body.set('0', file);
  return body;
}

function withoutPlaceholders(variables) {
  return JSON.parse(JSON.stringify(variables), (_name, value) => (value === filePlaceholder ? null : value));
}
