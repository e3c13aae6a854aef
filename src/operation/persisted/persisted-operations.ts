/** Persisted operations that follow their manifests: a changed file is read again without a restart. */
import { stat } from 'node:fs/promises';
import type { GraphQLSchema } from 'graphql';
import type { Config } from '../../config/config.ts';
import type { Log } from '../../telemetry/log.ts';
import { readManifests, type ServedOperation, UnusableManifestError } from './manifests.ts';

/**
 * Reads the manifests, and again whenever a file has changed. The files' status is polled: notifications of the file
 * system miss files on network volumes and files behind a symbolic link, as Kubernetes mounts them. Invalid manifests
 * are logged, and the previous operations stay. Rejects with an `UnusableManifestError` when the first read fails.
 */
export async function followManifests(
  { files, textPolicy, reloadMs }: Config['persistedOperations'],
  schema: GraphQLSchema,
  log: Log,
) {
  let version = await versionOf(files);
  let operations = await readManifests(files, schema);
  let manifests = manifestsOf(operations);
  let isRejected = false;

  async function reload(): Promise<void> {
    // Before the files are read: a change in between causes another read.
    const current = await versionOf(files);
    if (current === version) return;
    version = current;
    try {
      operations = await readManifests(files, schema, operations);
      manifests = manifestsOf(operations);
      isRejected = false;
      log.info({ operations: operations.size }, 'persisted operations reloaded');
    } catch (error) {
      isRejected = true;
      const problems = error instanceof UnusableManifestError ? error.problems : undefined;
      log.error(
        problems ? { problems } : { err: error },
        'the changed manifests cannot be used, the previous operations stay',
      );
    }
  }

  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const scheduleReload = () => {
    timer = setTimeout(() => void reload().finally(() => isClosed || scheduleReload()), reloadMs).unref();
  };
  scheduleReload();

  return {
    find: (hash: string) => operations.get(hash),
    isManifest: (label: string) => manifests.has(label),
    textPolicy,
    /** Whether the manifests have changed and cannot be used. */
    isRejected: () => isRejected,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

function manifestsOf(operations: ReadonlyMap<string, ServedOperation>): ReadonlySet<string> {
  return new Set([...operations.values()].flatMap((operation) => operation.manifests));
}

/** Changes whenever a file is written, replaced, removed or created. */
async function versionOf(files: readonly string[]): Promise<string> {
  const versions = files.map(async (file) => {
    const status = await stat(file, { bigint: true }).catch(() => undefined);
    return status
      ? [status.dev, status.ino, status.size, status.mtimeNs, status.ctimeNs].join(' ')
      : 'missing';
  });
  return (await Promise.all(versions)).join('\n');
}
