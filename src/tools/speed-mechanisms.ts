/**
 * The mechanisms that are there only for speed. `npm run build -- --without NAME` replaces this file, so that the bench
 * can measure what each of them gains.
 */
export const mechanisms = {
  /** The plan and the cost of a document are kept with it. Without, graphql-js executes operations. */
  plannedExecutor: true,
  /** Objects of results are copied from a template. */
  objectTemplates: true,
  /** The event of a subscription is executed once for all its subscribers. */
  sharedEvents: true,
  /** Results of subscriptions are sent to their sockets directly. Their JSON is written once for all subscribers. */
  directResults: true,
  /** Responses, and calls to the service, are sent at the end of their turn of the event loop. */
  sentTogether: true,
  /** Log lines are written in batches. */
  logBatches: true,
  /** The identity of a connection's last caller is kept. */
  rememberedIdentities: true,
};

export type Mechanism = keyof typeof mechanisms;
