/**
 * The folders of the files that GraphiQL's page is made of. `npm run build` copies them into `dist` and replaces this
 * module, since they are elsewhere there.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const pageFolder = join(import.meta.dirname, 'graphiql');
export const operationsFolder = join(import.meta.dirname, '../../examples/operations');
/** The folder of the page about the sandbox, `sandbox.md`. */
export const sandboxPageFolder = join(import.meta.dirname, '../../docs');
/** The WebSocket client as browsers load it: `client.js` and the modules that it imports. */
export const socketClientFolder = dirname(fileURLToPath(import.meta.resolve('graphql-ws/client')));
