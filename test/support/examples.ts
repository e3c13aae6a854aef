/** All operations and fragments of `examples/operations` in one document. */
import { globSync, readFileSync } from 'node:fs';
import { concatAST, parse } from 'graphql';

const files = globSync('examples/operations/*.graphql').sort();
export const examples = concatAST(files.map((file) => parse(readFileSync(file, 'utf8'))));
