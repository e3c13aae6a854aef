/** Limits the size of a result. The size is counted while the result is built, so that a larger one never exists. */
import { GatewayError } from '../errors.ts';
import type { Context } from '../graphql/context.ts';

/** One thread builds and writes that in about 100 ms, with at most 64 MiB of heap. */
export const resultLimit = {
  /** Fields and list members on all levels. An error counts as 100. */
  maxValues: 100_000,
  /**
   * Bytes of the result as JSON without its longest string, which the response limit of the service or the request
   * size bounds. Aliases that repeat that string count. 8 MiB.
   */
  maxBytes: 8 * 1024 * 1024,
};

export type ResultLimit = Readonly<typeof resultLimit>;

/** Locating, masking and writing an error takes as long as this number of values. */
const valuesOfError = 100;
/** Bytes of an error as JSON, without its path and the texts of the service. */
const bytesOfError = 700;
/** Bytes of a field or list member as JSON, without its name and its string: punctuation, a number. */
const bytesOfValue = 12;
/** Memory of an object without members, with its place in a list (bytes). */
const bytesOfObject = 64;
/** Strings up to this length, in characters, count as one byte a character. */
const shortLength = 24;
/** Strings longer than this, in characters, are assumed to double when escaped. Only the service sends them. */
const longLength = 65_536;
/**
 * Memory of a result that is not counted while its operation waits: 64 KiB. The rest of a query's result is held while it is built,
 * and counted again after each further 64 KiB.
 */
const freeBytes = 65_536;

/** What may follow after a part was dropped: half of what was allowed before it, at least this share of the limit. */
const leastShare = 1 / 500;
/** Most parts that are dropped from one result. With `leastShare` it bounds the work for a result to three times the limit. */
const maxDropped = 500;

/** The result would exceed the limit. The masked error has the side effect of the operation so far. */
export class ResultTooLargeError extends GatewayError {
  /** Whether only the problems of a refused input were dropped: nothing was done for it. */
  isOfRefusal = false;

  constructor({ maxValues, maxBytes }: ResultLimit) {
    super({
      code: 'OPERATION_TOO_EXPENSIVE',
      bound: 'result',
      message:
        `The result has more than ${maxValues} values, or more than ${maxBytes} bytes without its longest string: ` +
        'select fewer fields and aliases, or request fewer objects or a part of the list.',
    });
  }
}

/** Counts the size of one result. Each method throws when the limit is exceeded, or when there is no room for the result. */
export class ResultSize {
  readonly #limit: ResultLimit;
  #values = 0;
  #bytes = 0;
  #longestBytes = 0;
  #error: GatewayError | undefined;
  /** Bytes above which the next step is held. */
  #nextBytes = freeBytes;
  readonly #hold: Context['holdResult'];
  #dropped = 0;
  /** The part of the limit that was allowed since a part was last dropped. */
  #share = 1;
  #keptBytes = 0;

  /** `hold`: default, nothing is held. */
  constructor(limit: ResultLimit, hold?: Context['holdResult']) {
    this.#limit = limit;
    this.#hold = hold;
  }

  /** Memory of what is built so far and of what it keeps, without the first 64 KiB (bytes). */
  get largeBytes(): number {
    return Math.max(0, this.#memory + this.#keptBytes - freeBytes);
  }

  /** Counts what is kept besides the result, such as a text of which it has parts. */
  keep(bytes: number): void {
    this.#keptBytes += bytes;
  }

  /** An empty object needs 64 bytes, and counts as much less in JSON. */
  get #memory(): number {
    return Math.max(this.#bytes, this.#values * bytesOfObject);
  }

  /** Set once the limit is exceeded, until the part that exceeds it is dropped. */
  get error(): GatewayError | undefined {
    return this.#error;
  }

  /** Continues without the part that exceeds the limit. Returns false when the whole result must be dropped. */
  dropPart(): boolean {
    if (this.#dropped === maxDropped) return false;
    this.#dropped += 1;
    this.#error = undefined;
    this.#share = Math.max(this.#share / 2, leastShare);
    const { maxValues, maxBytes } = this.#limit;
    // Whole numbers: budgets add them up, and a sum of fractions leaves a rest.
    this.#values = Math.ceil(maxValues * (1 - this.#share));
    this.#bytes = Math.ceil(maxBytes * (1 - this.#share)) + this.#longestBytes;
    return true;
  }

  /** Counts the fields of an object. `nameLength`: total characters of their names. */
  addFields(count: number, nameLength: number): void {
    this.#values += count;
    this.#bytes += count * bytesOfValue + nameLength;
    this.#check();
  }

  /** Throws when that many more values would exceed the limit. Call before they are built. */
  requireRoom(values: number): void {
    if (this.#values + values <= this.#limit.maxValues) return;
    this.#values += values;
    this.#check();
  }

  /** Counts an error. `pathLength`: total characters of the names in its path. `texts`: those of the service. */
  addError(pathLength: number, texts: readonly string[] = []): void {
    this.#values += valuesOfError;
    this.#bytes += bytesOfError + pathLength;
    for (const text of texts) this.#bytes += bytesOfValue + jsonBytes(text);
    this.#check();
  }

  /** Counts the content of a leaf: the text of a string, the members of a JSON object. */
  addLeaf(value: unknown): void {
    if (typeof value === 'string') this.#addText(value);
    else if (typeof value === 'object') this.#addJson(value);
  }

  #addText(text: string): void {
    if (text.length <= shortLength) {
      this.#bytes += text.length;
      return;
    }
    const bytes = jsonBytes(text);
    this.#bytes += bytes;
    this.#longestBytes = Math.max(this.#longestBytes, bytes);
    this.#check();
  }

  /** Works without recursion, because the service may nest its JSON to any depth. */
  #addJson(value: object | null): void {
    const open = [value];
    while (open.length > 0) {
      for (const [name, member] of Object.entries(open.pop() ?? {})) {
        this.addFields(1, name.length);
        if (typeof member === 'string') this.#addText(member);
        else if (typeof member === 'object') open.push(member);
      }
    }
  }

  #check(): void {
    const { maxValues, maxBytes } = this.#limit;
    if (this.#values > maxValues || this.#bytes - this.#longestBytes > maxBytes) {
      this.#error ??= new ResultTooLargeError(this.#limit);
    } else if (this.#hold && this.#memory > this.#nextBytes) {
      this.#nextBytes = this.#memory + freeBytes;
      this.#error ??= this.#hold(this.#memory);
    }
    if (this.#error) throw this.#error;
  }
}

const plainText = /^[ !#-[\]-~]*$/;

/** The bytes that `JSON.stringify` writes for a string in UTF-8, without the quotes; of a very long one an upper bound. */
function jsonBytes(text: string): number {
  if (text.length > longLength) return 2 * Buffer.byteLength(text);
  return plainText.test(text) ? text.length : Buffer.byteLength(JSON.stringify(text)) - 2;
}
