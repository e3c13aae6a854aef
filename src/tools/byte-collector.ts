/** Sizes of the smallest and the largest block that chunks are copied into (bytes). */
const smallestBlock = 1_024;
const largestBlock = 256 * 1_024;

/**
 * Collects the chunks of a body of unknown length. It uses at most twice the bytes received plus 1 KiB, whatever the
 * size of the chunks: each chunk kept as an object would cost 200 to 500 bytes more, and may keep a whole read buffer.
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
    const blocks = this.#blocks.splice(0);
    const copied = blocks.filter((block) => block !== this.#kept);
    const last = blocks.pop()?.subarray(0, this.#used);
    const length = this.#length;
    this.#used = 0;
    this.#length = 0;
    if (!last) return Buffer.alloc(0);
    if (blocks.length === 0) return last;
    const all = Buffer.concat([...blocks, last], length);
    // Frees them now: a large body would be in memory twice until a collection.
    for (const { buffer } of copied) (buffer as ArrayBuffer).transfer(0);
    return all;
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

/** Whether the chunk's underlying buffer is at most twice as large: it may be a slice of a large read buffer. */
function ownsItsMemory(chunk: Uint8Array): chunk is Buffer {
  return Buffer.isBuffer(chunk) && chunk.buffer.byteLength <= 2 * chunk.length;
}
