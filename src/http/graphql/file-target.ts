/** The place of a multipart request's file among the variables of its operation. */
import { badRequest } from '../../errors.ts';
import type { UploadedFile } from '../../graphql/uploaded-file.ts';
import type { OperationRequest } from '../../operation/operation-request.ts';
import { objectFromJson } from '../caller-json.ts';

export interface FileTarget {
  /** Name of the file's part. */
  readonly key: string;
  put(file: UploadedFile): void;
}

/** Longest path that is read, in characters: one of 4 million points would take 200 ms. */
const maxPathLength = 1_000;

/** Reads the part `map`. Returns undefined when it names no file. */
export function fileTarget(operation: OperationRequest, json: Buffer): FileTarget | undefined {
  const entries = Object.entries(objectFromJson(json, '"map"'));
  if (entries.length === 0) return undefined;
  const [[key, paths] = ['', null]] = entries;
  if (entries.length > 1 || !Array.isArray(paths) || paths.length !== 1 || typeof paths[0] !== 'string') {
    throw badRequest('"map" must name one file with one path, e.g. {"0": ["variables.input.file"]}.');
  }
  const [path] = paths;
  const [root, ...steps] = path.length > maxPathLength ? [] : path.split('.');
  const last = steps.pop();
  const parent = root === 'variables' ? steps.reduce<unknown>(member, operation.variables) : undefined;
  if (last === undefined || member(parent, last) !== null) {
    throw badRequest(
      'The path in "map" must name a variable, or a member of a variable, whose value is null.',
    );
  }
  return { key, put: (file) => void Object.assign(parent as object, { [last]: file }) };
}

/** An own member, or undefined: no prototype, and no index beyond the end of a list. */
function member(parent: unknown, step: string): unknown {
  if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, step)) return undefined;
  return step === '__proto__' ? undefined : (parent as Record<string, unknown>)[step];
}
