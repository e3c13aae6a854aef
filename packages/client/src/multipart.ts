/** The multipart request of an operation whose variables hold files: https://github.com/jaydenseric/graphql-multipart-request-spec */

/** Whether a file is anywhere among the variables: in a nested input or in a list too. */
export function hasFile(variables: unknown): boolean {
  return filesIn(variables, 'variables').length > 0;
}

/** An operation as it is sent: with its text, or with its hash in `extensions`. */
export interface OperationBody {
  readonly query?: string | undefined;
  readonly operationName?: string | undefined;
  readonly variables: unknown;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** In the order that the gateway reads: `operations` with null for each file, `map`, then the files. */
export function multipartOf({ variables, ...operation }: OperationBody): FormData {
  const files = filesIn(variables, 'variables');
  const body = new FormData();
  body.set('operations', JSON.stringify({ ...operation, variables: asSent(variables, () => null) }));
  body.set('map', JSON.stringify(Object.fromEntries(files.map(({ path }, index) => [index, [path]]))));
  for (const [index, { file }] of files.entries()) body.set(`${index}`, file);
  return body;
}

interface FileInVariables {
  /** Path of the file, such as `variables.input.file`. */
  readonly path: string;
  /** A File, or a Blob without a name. */
  readonly file: Blob;
}

function filesIn(value: unknown, path: string): FileInVariables[] {
  if (value instanceof Blob) return [{ path, file: value }];
  return isNested(value)
    ? Object.entries(value).flatMap(([name, member]) => filesIn(member, `${path}.${name}`))
    : [];
}

/** A copy of variables as JSON has them, with something in the place of each file. */
export function asSent(value: unknown, placeOf: (file: Blob) => unknown): unknown {
  if (value instanceof Blob) return placeOf(value);
  if (Array.isArray(value)) return value.map((member) => asSent(member, placeOf));
  if (isNested(value))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asSent(member, placeOf)]));
  if (typeof value !== 'object' || value === null) return value;
  const json = JSON.stringify(value);
  return json === undefined ? undefined : JSON.parse(json);
}

/** A list or an input object, of a class too; what writes itself as JSON (a Date, say) is a value. */
function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value);
}
