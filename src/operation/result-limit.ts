/** How large a result may become. It is counted while it is built, so that a larger one never exists. */
import { GatewayError } from '../errors.ts';

export interface ResultLimit {
  /** Fields and list members of all levels together; an error counts as 100. */
  readonly maxValues: number;
  /**
   * Bytes of the result as JSON, its longest string not counted: the service bounds that one (an export), or the
   * request does. Aliases that repeat it count.
   */
  readonly maxBytes: number;
}

/** 100,000 values, 8 MiB: what one thread builds and writes in some 100 ms, in a quarter of a heap of 256 MiB at worst. */
export const resultLimit: ResultLimit = { maxValues: 100_000, maxBytes: 8 * 1024 * 1024 };

/** An error is located, masked and written with its path: that takes as long as this many values. */
const valuesOfError = 100;
/** Bytes of an error as JSON, its path not counted. */
const bytesOfError = 700;
/** Bytes of a field or list member beside the characters of its name and of its string: punctuation, a number. */
const bytesOfValue = 12;
/** Strings up to this length count a byte a character. */
const shortLength = 24;
/** Longer strings than this are taken to double by escapes: only the service sends such. */
const longLength = 65_536;

/** The result of an operation would be larger than the limit. The side effect is that of the operation so far. */
export class ResultTooLargeError extends GatewayError {
  constructor({ maxValues, maxBytes }: ResultLimit) {
    super({
      code: 'OPERATION_TOO_EXPENSIVE',
      message:
        `The result has more than ${maxValues} values, or more than ${maxBytes} bytes beside its longest string: ` +
        'select fewer fields and aliases, or ask for fewer objects.',
    });
  }
}

/** The size of one result so far. Each method throws a `ResultTooLargeError` when the limit is passed. */
export class ResultSize {
  readonly #limit: ResultLimit;
  #values = 0;
  #bytes = 0;
  #longestBytes = 0;
  /** Aliases of one field give the same string many times. */
  #lastText = '';
  #lastBytes = 0;
  #error: ResultTooLargeError | undefined;

  constructor(limit: ResultLimit) {
    this.#limit = limit;
  }

  /** Set once the limit is passed. */
  get error(): ResultTooLargeError | undefined {
    return this.#error;
  }

  /** Counts the fields of an object. `nameLength`: characters of all their names. */
  addFields(count: number, nameLength: number): void {
    this.#values += count;
    this.#bytes += count * bytesOfValue + nameLength;
    this.#check();
  }

  addListMember(): void {
    this.addFields(1, 0);
  }

  /** `pathLength`: characters of all names in the error's path. */
  addError(pathLength: number): void {
    this.#values += valuesOfError;
    this.#bytes += bytesOfError + pathLength;
    this.#check();
  }

  /** Counts what a leaf has beside its field: the text of a string, the members of a JSON object. */
  addLeaf(value: unknown): void {
    if (typeof value === 'string') this.#addText(value);
    else if (typeof value === 'object' && value !== null) this.#addJson(value);
  }

  #addText(text: string): void {
    if (text.length <= shortLength) {
      this.#bytes += text.length;
      return;
    }
    if (text !== this.#lastText) {
      this.#lastText = text;
      this.#lastBytes = jsonBytes(text);
    }
    this.#bytes += this.#lastBytes;
    this.#longestBytes = Math.max(this.#longestBytes, this.#lastBytes);
    this.#check();
  }

  /** Without recursion: the service may nest its JSON as deeply as it likes. */
  #addJson(value: object): void {
    const open: object[] = [value];
    for (let json = open.pop(); json; json = open.pop()) {
      for (const [name, member] of Object.entries(json)) {
        this.addFields(1, name.length);
        if (typeof member === 'string') this.#addText(member);
        else if (typeof member === 'object' && member !== null) open.push(member);
      }
    }
  }

  #check(): void {
    const { maxValues, maxBytes } = this.#limit;
    if (this.#values <= maxValues && this.#bytes - this.#longestBytes <= maxBytes) return;
    this.#error ??= new ResultTooLargeError(this.#limit);
    throw this.#error;
  }
}

const plainText = /^[ !#-[\]-~]*$/;

/** At least as many bytes as `JSON.stringify` makes of a string in UTF-8, the quotes around it not counted. */
function jsonBytes(text: string): number {
  if (text.length > longLength) return 2 * Buffer.byteLength(text);
  let bytes = text.length;
  if (plainText.test(text)) return bytes;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // Control characters, and surrogates that may lack their other half: `\u001f`.
    if (code < 0x20 || (code >= 0xd800 && code < 0xe000)) bytes += 5;
    else if (code === 0x22 || code === 0x5c) bytes += 1;
    else if (code >= 0x80) bytes += code >= 0x800 ? 2 : 1;
  }
  return bytes;
}
