/** Persisted operations that follow their manifests: a changed file is read again without a restart. */
import { unwatchFile, watchFile } from 'node:fs';
import type { GraphQLSchema } from 'graphql';
import type { Config } from '../../config/config.ts';
import { badRequest } from '../../errors.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { maxLoggedName } from '../operation-log.ts';
import { refused } from '../operation-request.ts';
import type { PersistedOperation } from '../valid-document.ts';
import { readManifests, UnusableManifestError } from './manifests.ts';
import { hashOf } from './operation-hash.ts';

export type PersistedOperations = Awaited<ReturnType<typeof followManifests>>;

/**
 * Reads the manifests, and again whenever a file has changed. The files' status is polled: notifications of the file
 * system miss files on network volumes and files behind a symbolic link, as Kubernetes mounts them. Invalid manifests
 * are logged, and the previous operations stay. Rejects with an `UnusableManifestError` when the first read fails.
 */
export async function followManifests(
  { introspection, persistedOperations }: Pick<Config, 'introspection' | 'persistedOperations'>,
  schema: GraphQLSchema,
  metrics: Metrics,
  log: Log,
) {
  const { files, textPolicy, reloadMs } = persistedOperations;
  let operations: ReadonlyMap<string, PersistedOperation> = new Map();
  let manifests: ReadonlySet<string> = new Set();
  let isRejected = false;

  async function read(): Promise<void> {
    operations = await readManifests(files, schema, introspection);
    manifests = new Set([...operations.values()].flatMap((operation) => operation.manifests));
  }

  async function reload(): Promise<void> {
    try {
      await read();
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

  let reading: Promise<void>;
  const onChange = () => {
    // Nothing is read again after a first read that has failed.
    reading = reading.then(reload, () => {});
  };
  const close = () => {
    for (const file of files) unwatchFile(file, onChange);
  };
  // Before the files are read: a change in between causes another read.
  for (const file of files) watchFile(file, { interval: reloadMs, persistent: false }, onChange);
  reading = read();
  await reading.catch((error: unknown) => {
    close();
    throw error;
  });
  metrics.gauge('folio_manifest_rejected', () => (isRejected ? 1 : 0));

  return {
    /** The operation; undefined when no manifest has one with this hash. */
    find: (hash: string) => operations.get(hash),
    /** The text of the operation that a request contains or identifies by its hash. Throws when it is not executed. */
    textOf(text: string | undefined, hash: string | undefined): string {
      if (text === undefined) {
        const persisted = operations.get(hash as string);
        if (persisted) return persisted.document;
        throw refused('PERSISTED_QUERY_NOT_FOUND', 'No persisted operation has this hash.');
      }
      if (textPolicy === 'refuse') {
        const message = 'Only persisted operations are executed here: send the hash of one, without "query".';
        throw refused('PERSISTED_QUERY_ONLY', message);
      }
      if (hash !== undefined && hash !== hashOf(text))
        throw badRequest('The hash does not match "query": send the SHA-256 of its text.');
      return text;
    },
    /** Whether a manifest is of this application. */
    isManifest: (label: string) => manifests.has(label),
    /** Call with each operation that was sent as text. */
    reportText: textPolicy === 'report' ? createAsTextReport(metrics, log) : () => {},
    close,
  };
}

/** Most hashes that are remembered. When there are more, each is logged again. */
const maxHashes = 1_000;

/**
 * Returns a function that counts each operation that is sent as text, and logs each hash once: so a team sees what
 * PERSISTED_OPERATIONS_ONLY=true would refuse.
 */
export function createAsTextReport(metrics: Metrics, log: Log) {
  const logged = new Set<string>();
  /** `persisted`: the operation as a manifest has it. `name`: that in its text. */
  return (
    hash: string,
    persisted: PersistedOperation | undefined,
    name: string | undefined,
    requestId: string,
  ) => {
    const kind = persisted === undefined ? 'unknown' : 'persisted';
    metrics.operationsAsText.inc({ kind });
    if (logged.has(hash)) return;
    if (logged.size >= maxHashes) logged.clear();
    logged.add(hash);
    log.warn(
      { hash, name: name?.slice(0, maxLoggedName), kind, requestId },
      'operation sent as text, which PERSISTED_OPERATIONS_ONLY=true refuses',
    );
  };
}
