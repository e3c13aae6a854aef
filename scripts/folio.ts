#!/usr/bin/env node
/**
 * `npx folio why <requestId> [file]`: explains one request from log lines. They come from the file, or from standard input:
 *
 *     kubectl logs -l app.kubernetes.io/name=folio --tail=-1 --prefix=false | npx folio why 3f0c…
 */
import { runCommand } from './why/command.ts';

process.exitCode = await runCommand(process.argv.slice(2), process.stdin);
