/** Folio's gateway from a front end: what all clients share. */
export { embeddedTypes } from './entities.ts';
export { subscribeOverEventStreams } from './event-stream.ts';
export { fetchWithProgress, type OnProgress } from './fetch-with-progress.ts';
export { createFolio, type Folio, type FolioOptions } from './folio.ts';
export {
  type ListResult,
  sendList,
  type WriteError,
  type WriteOutcome as ListOutcome,
} from './list-of-writes.ts';
export { createLiveStatuses, type LiveStatus, type LiveStatuses } from './live-statuses.ts';
export { type Locale, localeOf } from './locale.ts';
export { messageOf } from './message.ts';
export { hasFile, multipartOf, type OperationBody } from './multipart.ts';
export { type OperationManifest, type PersistedOption, persistedHashOf } from './persisted.ts';
export { createRequest, type Request, type RequestOptions, type Result } from './request.ts';
export { type Attempt, retryDelayMs } from './retry-rule.ts';
export { introspection, possibleTypes } from './schema.ts';
export {
  apiKeyHeader,
  type Credentials,
  createSession,
  type Session,
  type SessionOptions,
} from './session.ts';
export { type Settled, settle, type WriteResult } from './settle.ts';
export { createSocket, type Socket } from './socket.ts';
export { createSubscribe, type Subscribe, type SubscriptionSink } from './subscribe.ts';
export { isUnreadState } from './unread-state.ts';
export {
  createWrites,
  type Exported,
  type Imported,
  newKey,
  type Scanned,
  type Writes,
  type Written,
} from './writes.ts';
