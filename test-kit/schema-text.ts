/** The schema in its definition language. The build replaces this module by the text. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const schemaText: string = readFileSync(join(import.meta.dirname, '../schema.graphql'), 'utf8');
