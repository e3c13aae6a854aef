/**
 * The mechanisms that are there only for speed. `npm run build -- --without NAME` replaces this file, so that the bench
 * can measure what each of them gains.
 */
export const mechanisms = {
  /** V8 creates all objects in the young generation. */
  createdYoung: true,
  /** Operations are executed by a plan of their document, and not by graphql-js. */
  plannedExecutor: true,
  /** Objects of results are copied from a template. */
  objectTemplates: true,
  /** The event of a subscription is executed once for all its subscribers. */
  sharedEvents: true,
  /** Results of subscriptions are sent to their sockets directly. Their JSON is written once for all subscribers. */
  directResults: true,
  /** Responses, and calls to the service, are sent at the end of their turn of the event loop. */
  sentTogether: true,
  /** The identity of a connection's last caller is kept, and the owner of an accepted lane is not computed again. */
  rememberedIdentities: true,
  /** The cost of a document without list variables is counted once. */
  costCountedOnce: true,
};

export type Mechanism = keyof typeof mechanisms;
