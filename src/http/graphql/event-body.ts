/** The body of a response with events. */

type Controller = ReadableStreamDefaultController<Uint8Array>;

/**
 * A stream that reads no event before its reader asks for it: an event that waited in the stream would count in no bound.
 * `desiredSize` is 1 while nothing waits, as in other streams, so that a heartbeat is sent then.
 */
export class EventStream extends ReadableStream<Uint8Array> {
  constructor({ start, pull, cancel }: UnderlyingDefaultSource<Uint8Array>) {
    const begin = (controller: Controller) =>
      start?.({
        get desiredSize() {
          return controller.desiredSize === null ? null : controller.desiredSize + 1;
        },
        enqueue: (chunk) => controller.enqueue(chunk),
        close: () => controller.close(),
        error: (reason) => controller.error(reason),
      });
    super({ start: begin, ...(pull && { pull }), ...(cancel && { cancel }) }, { highWaterMark: 0 });
  }
}
