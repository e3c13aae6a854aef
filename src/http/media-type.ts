import { MIMEType } from 'node:util';

export interface MediaType {
  /** Lower case, e.g. `application/json`; empty when the header is absent or malformed. */
  readonly type: string;
  readonly parameters: { get(name: string): string | null };
}

const none: MediaType = { type: '', parameters: new Map<string, string>() as never };

/** The type of almost every request. */
const json: MediaType = parsed('application/json');

export function mediaTypeOf(header: string | undefined): MediaType {
  if (header === undefined) return none;
  return header === json.type ? json : parsed(header);
}

function parsed(header: string): MediaType {
  try {
    const { essence, params } = new MIMEType(header);
    return { type: essence, parameters: params };
  } catch {
    return none;
  }
}
