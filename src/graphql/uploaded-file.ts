import { badUserInput } from '../errors.ts';

/** The file of a multipart request, streamed from the caller. It can be read once. */
export class UploadedFile {
  readonly filename: string;
  /** As the caller wrote it; undefined without one. */
  readonly contentType: string | undefined;
  /** Sets how many bytes of the file its reader holds, until the response is sent. May end the file with an error. */
  readonly hold: (bytes: number) => void;
  readonly #content: AsyncIterable<Uint8Array>;
  #taken = false;

  constructor(
    filename: string,
    contentType: string | undefined,
    content: AsyncIterable<Uint8Array>,
    hold: (bytes: number) => void,
  ) {
    this.filename = filename;
    this.contentType = contentType;
    this.#content = content;
    this.hold = hold;
  }

  /** Returns the file's bytes as they arrive. Throws BAD_USER_INPUT when another field has taken them. */
  take(): AsyncIterable<Uint8Array> {
    if (this.#taken)
      throw badUserInput('A file can be used by one field only; nothing was sent for this field.');
    this.#taken = true;
    return this.#content;
  }
}
