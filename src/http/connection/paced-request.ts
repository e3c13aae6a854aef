/** Requests whose bodies arrive in many small chunks, or are large: what one turn of the event loop reads of them. */
import { IncomingMessage } from 'node:http';
import { type Holder, nobody } from '../../caller.ts';
import { FairQueue } from '../../shares/fair-queue.ts';
import { ByteCollector } from '../../tools/byte-collector.ts';
import { beginReading, isReadingLong } from '../../tools/event-loop-turns.ts';
import { closeUnparsed } from './close-unparsed.ts';

/** Chunks below this size are small (bytes). */
const smallBytes = 1_024;
/** Small chunks of one request that are passed on as they are. Most bodies have fewer. */
const maxSingleChunks = 16;
/** Joined chunks of one request, and their bytes, after which its connection is not read until they are delivered. */
const maxJoinedChunks = 1_000;
const maxJoinedBytes = 16 * 1_024;
/** Joined chunks that are delivered per millisecond. Parsing one takes about 1 µs. */
const chunksPerMs = 200;

/** Small chunks of all requests, less those that were due. One connection can be two reads of 64 KiB ahead, 21,800 chunks. */
const maxChunksAhead = 32_000;
/** Chunks of one request beyond which its connection is closed while there are as many. */
const maxChunksWhileFull = 256;

/** Bytes of a body that are read as fast as they arrive (bytes): 64 KiB. Most bodies have fewer. */
const freeBytes = 64 * 1_024;
/** Bytes of all larger bodies that one turn of the event loop reads, before it postpones the others (bytes): 4 MiB. */
const maxTurnBytes = 4 * 1_024 * 1_024;
/**
 * Most postponed requests that are continued in one turn: Node reads up to 64 KiB of each. After a turn that took too long, half
 * as many as before, so that each is read in turn: of those that are ready, Node may read the same one first every time.
 */
const maxContinued = 64;
let mostContinued = maxContinued;

/** Requests with joined chunks of the process, in the order in which they are delivered. */
const undelivered = new Set<PacedRequest>();
let isScheduled = false;

/** Requests of which more is wanted. Most bodies are complete before. */
const reading = new Set<PacedRequest>();

/** Requests that are not read in this turn. Accepted callers take turns with them, and all other callers count as one. */
const postponed = new FairQueue<PacedRequest>({ has: () => true, onAccept: () => {} });
let turnBytes = 0;
/** Whether what this turn has read took too long. */
let wasLong = false;

/** Small chunks that were read faster than they are delivered, and the time of the last turn that has read some. */
let chunksAhead = 0;
let countedAt = 0;
let isCounting = false;

/**
 * Joins the small chunks of a body, so that each costs its bytes and not an object and an event. Node would read 2 MiB of
 * a connection in one turn of the event loop: 350,000 chunks of one byte. Here the connection is not read after 1,000
 * chunks, until they are delivered. Small chunks of all connections together are delivered at a bounded rate, which
 * leaves most of the time to other requests. Parsing 64 KiB of them takes 8 ms, which cannot be postponed: while many
 * connections have as many, they are closed.
 *
 * One turn reads at most 4 MiB of large bodies, plus the 64 KiB that Node has already read of each connection. So the
 * copies that Node makes of 200 bodies of 1 MiB are not all made in one turn. When what it has read took a turn too long,
 * such as parts of multipart requests or small chunks, the other connections with incomplete bodies are read in later ones.
 */
export class PacedRequest extends IncomingMessage {
  /** When its last bytes were read (`performance.now()`): the caller decides how long a body takes to arrive. */
  readAt = performance.now();
  #smallChunks = 0;
  #joined: ByteCollector | undefined;
  #joinedChunks = 0;
  #bytes = 0;
  #isWanted = false;
  /** Takes it out of those that are read in a later turn; undefined while it is none of them. */
  #leaveQueue: (() => void) | undefined;

  /** The caller if the service has accepted it, else `nobody`. */
  get acceptedCaller(): Holder {
    return nobody;
  }

  override push(chunk: Buffer | null): boolean {
    beginReading();
    const isWanted = this.#push(chunk);
    // Also at the end of the body: nothing is wanted after it.
    if (!isWanted) reading.delete(this);
    if (reading.size > 0 && isReadingLong()) {
      // The others are continued before it.
      if (reading.delete(this)) reading.add(this);
      postponeAll();
    }
    return isWanted && !this.#leaveQueue;
  }

  #push(chunk: Buffer | null): boolean {
    if (chunk !== null) this.readAt = performance.now();
    if (chunk !== null && chunk.length < smallBytes && ++this.#smallChunks > maxSingleChunks) {
      return this.#join(chunk);
    }
    this.deliver();
    const isWanted = super.push(chunk);
    return (chunk === null || this.#isReadInThisTurn(chunk.length)) && isWanted;
  }

  override _read(size: number): void {
    if (this.#leaveQueue || this.#isHeld()) {
      this.#isWanted = true;
      return;
    }
    if (!this.complete && this.socket.readable) reading.add(this);
    super._read(size);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    reading.delete(this);
    undelivered.delete(this);
    this.#joined = undefined;
    this.#leaveQueue?.();
    if (!this.readableEnded) this.emit('cut');
    super._destroy(error, callback);
  }

  /**
   * Node calls this for a body that nobody reads, to drop it, when the response has been sent. Its own would read the chunks as
   * fast as they arrive, and from then on it destroys no request whose connection closes.
   */
  _dump(): void {
    if (!this.complete) {
      const end = () => this.destroy();
      this.socket.once('close', end);
      this.once('close', () => this.socket.off('close', end));
    }
    this.resume();
  }

  /** Reads the rest in a later turn, also what this one would read of the connection. Emits `postponed`. */
  postpone(): void {
    this.#isWanted = true;
    this.#enterQueue();
    this.socket.pause();
    this.emit('postponed');
  }

  #enterQueue(): void {
    this.#leaveQueue ??= postponed.add(this.acceptedCaller, this);
  }

  continue(): void {
    this.#leaveQueue = undefined;
    this.#readOn();
  }

  #readOn(): void {
    if (!this.#isWanted || this.#leaveQueue) return;
    this.#isWanted = false;
    this._read(0);
  }

  /** Passes the joined chunks on as one. Returns how many they were. */
  deliver(): number {
    undelivered.delete(this);
    const joined = this.#joined;
    const chunks = this.#joinedChunks;
    if (!joined) return 0;
    this.#joined = undefined;
    this.#joinedChunks = 0;
    // Node's request asks for more by itself only after its own `_read` was called.
    if (super.push(joined.take())) this.#readOn();
    return chunks;
  }

  /** Returns whether to continue reading the connection. */
  #join(chunk: Buffer): boolean {
    // A request that is not read yet, or paused, gets its chunks when it is read.
    if (this.#smallChunks === maxSingleChunks + 1) this.on('resume', () => this.#joined && schedule(this));
    if (!this.#joined) {
      this.#joined = new ByteCollector();
      if (this.readableFlowing) schedule(this);
    }
    this.#joined.push(chunk);
    this.#joinedChunks += 1;
    countChunk();
    if (chunksAhead > maxChunksAhead && this.#joinedChunks > maxChunksWhileFull) closeUnparsed(this.socket);
    return !this.#isHeld();
  }

  #isReadInThisTurn(bytes: number): boolean {
    this.#bytes += bytes;
    if (this.#bytes <= freeBytes) return true;
    countInTurn(bytes);
    if (turnBytes <= maxTurnBytes) return true;
    this.#enterQueue();
    return false;
  }

  #isHeld(): boolean {
    return this.#joinedChunks >= maxJoinedChunks || (this.#joined?.length ?? 0) >= maxJoinedBytes;
  }
}

function schedule(request: PacedRequest): void {
  undelivered.add(request);
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(deliverSome);
}

function deliverSome(): void {
  let chunks = 0;
  for (const request of undelivered) {
    chunks += request.deliver();
    if (chunks >= maxJoinedChunks) {
      setTimeout(deliverSome, chunks / chunksPerMs);
      return;
    }
  }
  isScheduled = false;
}

function countChunk(): void {
  chunksAhead += 1;
  if (isCounting) return;
  isCounting = true;
  setImmediate(() => (isCounting = false));
  const now = performance.now();
  chunksAhead = Math.max(1, chunksAhead - (now - countedAt) * chunksPerMs);
  countedAt = now;
}

function countInTurn(bytes: number): void {
  if (turnBytes === 0) setImmediate(startTurn);
  turnBytes += bytes;
}

function postponeAll(): void {
  wasLong = true;
  countInTurn(1);
  for (const request of reading) request.postpone();
  reading.clear();
}

function startTurn(): void {
  turnBytes = 0;
  mostContinued = wasLong ? Math.ceil(mostContinued / 2) : Math.min(2 * mostContinued, maxContinued);
  wasLong = false;
  for (let continued = 0; continued < mostContinued; continued += 1) postponed.next()?.continue();
  if (postponed.size > 0) countInTurn(1);
}
