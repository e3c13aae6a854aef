/** Bounds one reply of Redis while it arrives: the parser of ioredis makes room for all members of a list at once. */

/** Most members of the lists of one reply that are still to come: they take 8 MB. A cluster with the most slots has fewer. */
const maxMembers = 1_000_000;
/** Most bytes of one reply: 16 MiB. The largest values are outcomes of 256 KiB. */
const maxBytes = 16 * 1_024 * 1_024;
/** Longest line (bytes): 64 KiB. With each further byte the parser of ioredis reads a line from its beginning. */
const maxLineLength = 64 * 1_024;
const endOfLine = 0x0d;

/** Follows the replies of one connection as ioredis reads them (RESP2). */
export class ReplySize {
  /** The beginning of a line that has not come to its end. */
  #line = '';
  /** Bytes to come that are not read: a text, and what ends a line or a text. */
  #skipped = 0;
  /** Values to come of the reply in progress. */
  #members = 0;
  #bytes = 0;

  /** Throws when the reply in progress is too large, or has a length that is not a number. */
  read(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const start = at;
      if (this.#skipped > 0) {
        at = Math.min(bytes.length, at + this.#skipped);
        this.#skipped -= at - start;
      } else {
        const end = bytes.indexOf(endOfLine, at);
        at = end < 0 ? bytes.length : end + 1;
        this.#line += bytes.toString('latin1', start, end < 0 ? at : end);
        if (this.#line.length > maxLineLength) throw new Error('The reply of Redis has too long a line.');
        if (end >= 0) this.#endLine();
      }
      this.#bytes += at - start;
      if (this.#bytes > maxBytes) throw new Error('The reply of Redis has too many bytes.');
    }
  }

  #endLine(): void {
    const [type, digits] = [this.#line.charAt(0), this.#line.slice(1)];
    this.#line = '';
    this.#skipped = 1;
    if (this.#members === 0) this.#bytes = 0;
    else this.#members -= 1;
    if (type !== '$' && type !== '*') return;
    if (!/^-?\d+$/.test(digits)) throw new Error('The reply of Redis has a length that is not a number.');
    const length = Number(digits);
    if (type === '*') this.#members += Math.max(0, length);
    else if (length >= 0) this.#skipped += length + 2;
    if (this.#members > maxMembers) throw new Error('The reply of Redis has too many members.');
  }
}
