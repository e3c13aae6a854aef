/** Sizes of the smallest and the largest block that chunks are copied into (bytes). glibc returns blocks from 128 KiB on at once. */
const smallestBlock = 1_024;
const largestBlock = 128 * 1_024;

/**
 * Collects the chunks of a body of unknown length. It uses at most twice the bytes received plus 1 KiB, and at most 128 KiB
 * more, whatever the size of the chunks: each chunk kept as an object would cost 200 to 500 bytes more, and may keep a whole
 * read buffer.
 */
export class ByteCollector {
  /** Full blocks, then the block that is being filled. */
  readonly #blocks: Buffer[] = [];
  /** The first chunk, where it is a block: its memory may hold more than this chunk. */
  #kept: Buffer | undefined;
  /** Bytes written to the last block. */
  #used = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Bytes of memory used, the free part of the last block included. */
  get held(): number {
    return this.#length + ((this.#blocks.at(-1)?.length ?? 0) - this.#used);
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    if (this.#length === 0 && ownsItsMemory(chunk)) {
      // Most bodies are one chunk, which is not copied.
      this.#kept = chunk;
      this.#blocks.push(chunk);
      this.#used = chunk.length;
    } else {
      this.#copy(chunk);
    }
    this.#length += chunk.length;
  }

  /** Returns all bytes in order, and empties the collector. */
  take(): Buffer {
    const all = this.#blocks.length > 1 ? this.#joined() : this.#blocks.pop()?.subarray(0, this.#used);
    this.clear();
    return all ?? Buffer.alloc(0);
  }

  /** Frees each block when it is copied: the system gives the copy its memory when that is written. */
  #joined(): Buffer {
    const all = Buffer.allocUnsafeSlow(this.#length);
    let at = 0;
    for (const block of this.#blocks) {
      all.set(block.subarray(0, all.length - at), at);
      at += block.length;
      if (block !== this.#kept) freeNow(block);
    }
    return all;
  }

  clear(): void {
    for (const block of this.#blocks.splice(0)) if (block !== this.#kept) freeNow(block);
    this.#kept = undefined;
    this.#used = 0;
    this.#length = 0;
  }

  #copy(chunk: Uint8Array): void {
    let rest = chunk;
    let { length } = this;
    while (rest.length > 0) {
      let block = this.#blocks.at(-1);
      if (!block || block.length === this.#used) {
        const size = Math.max(smallestBlock, Math.min(largestBlock, length));
        // `allocUnsafe` would return a slice of Node's pool, and keep the pool in memory.
        block = Buffer.allocUnsafeSlow(size);
        this.#blocks.push(block);
        this.#used = 0;
      }
      const part = rest.subarray(0, block.length - this.#used);
      block.set(part, this.#used);
      this.#used += part.length;
      length += part.length;
      rest = rest.subarray(part.length);
    }
  }
}

/** Smaller ones are collected soon (bytes). */
const worthFreeing = 16 * 1_024;

/**
 * Frees the memory of bytes that nobody reads any more, if it is theirs alone. Otherwise what has been in use for some time
 * stays until a full collection, which is seconds away where most of the memory is outside the heap.
 */
export function freeNow({ buffer, byteLength }: Buffer): void {
  if (byteLength >= worthFreeing && buffer.byteLength === byteLength) (buffer as ArrayBuffer).transfer(0);
}

/** Whether the chunk's underlying buffer is at most twice as large: it may be a slice of a large read buffer. */
function ownsItsMemory(chunk: Uint8Array): chunk is Buffer {
  return Buffer.isBuffer(chunk) && chunk.buffer.byteLength <= 2 * chunk.length;
}
