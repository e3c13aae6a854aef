/**
 * The writes of a page: each is done at most once, however often its button is pressed after a failure, with one API key, or
 * without one with one token. With another token a write whose response was lost is sent again: docs/retrying-safely.md.
 */
import type { OnProgress } from './fetch-with-progress.ts';
import {
  ExportDocumentsDocument,
  type ExportDocumentsMutation,
  type ImportMalaysiaInvoiceInput,
  ImportMalaysiaInvoicesDocument,
  type ImportMalaysiaInvoicesMutation,
  type RefusalFragment,
  ScanIdentityCardDocument,
  type ScanIdentityCardMutation,
} from './gql/graphql.ts';
import { sendList, type WriteError } from './list-of-writes.ts';
import type { Locale } from './locale.ts';
import { messageOf } from './message.ts';
import type { Request } from './request.ts';

/** What became of a write. */
export type Written<Result> =
  /** `errors`: of the parts of the result that are missing, such as `rows` that could not be read. Mostly empty. */
  | { readonly kind: 'done'; readonly result: Result; readonly errors: readonly WriteError[] }
  /** Nothing was done: the user corrects the input. */
  | { readonly kind: 'refused'; readonly problems: RefusalFragment['problems'] }
  /** `message`: for the user. `errors`: those of the gateway; empty when no response came. */
  | { readonly kind: 'failed'; readonly message: string; readonly errors: readonly WriteError[] };

type ResultOf<Outcome, Name> = Extract<NonNullable<Outcome>, { readonly __typename: Name }>;
export type Scanned = ResultOf<ScanIdentityCardMutation['scanIdentityCard'], 'ScanResult'>;
export type Imported = ResultOf<
  NonNullable<ImportMalaysiaInvoicesMutation['importMalaysiaInvoices']>[number],
  'MalaysiaImport'
>;
export type Exported = ResultOf<ExportDocumentsMutation['exportDocuments'], 'ExportResult'>;

export interface ScanOptions {
  readonly queueId: string;
  /** Default false. */
  readonly handwritten?: boolean;
  /** Default: a key that the same file keeps after a failure. */
  readonly idempotencyKey?: string;
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal;
}

export interface Writes {
  scan(file: File, options: ScanOptions): Promise<Written<Scanned>>;
  /**
   * Any number of invoices; resolves with one outcome for each, in their order. They are sent in groups of 100, or fewer if they
   * are large, one after the other: put a note behind its original.
   */
  importInvoices(inputs: readonly ImportMalaysiaInvoiceInput[]): Promise<Written<Imported>[]>;
  /** Has no key: after a lost connection the documents may have been exported. */
  exportDocuments(documentIds?: readonly string[]): Promise<Written<Exported>>;
}

/** Most invoices of one mutation. */
const maxInvoices = 100;
/** Most characters of several: their variables take several times as much memory, of which a small gateway may hold 4 MiB. */
const maxLength = 256 * 1024;
/** Most keys of writes that failed. */
const maxKeys = 10_000;

/** The calls with equal content: they share a key until each of them, or a later one, has an outcome. */
interface Calls {
  readonly key: string;
  inFlight: number;
  /** How many have failed. */
  failed: number;
  /** How many of the failed ones were followed by a call that succeeded. */
  repeated: number;
}

/** `locale`: of the messages for users. */
export function createWrites(request: Request, locale: () => Locale = () => 'EN'): Writes {
  /** By the content of the input: of writes in progress, and of those without an outcome. */
  const callsByContent = new Map<string, Calls>();
  const fileNumbers = new WeakMap<File, number>();
  let files = 0;

  /** Begins a call. Returns its key, and a function to call with what became of it. */
  function begin(content: string) {
    const calls = callsByContent.get(content) ?? { key: newKey(), inFlight: 0, failed: 0, repeated: 0 };
    callsByContent.set(content, calls);
    const failedBefore = calls.failed;
    calls.inFlight += 1;
    return {
      key: calls.key,
      settled<Result>(written: Written<Result>): Written<Result> {
        calls.inFlight -= 1;
        if (written.kind === 'failed') calls.failed += 1;
        // A refusal does not say what became of an earlier call.
        if (written.kind === 'done') calls.repeated = Math.max(calls.repeated, failedBefore);
        const isOpen = calls.failed > calls.repeated && callsByContent.size <= maxKeys;
        if (calls.inFlight === 0 && !isOpen) callsByContent.delete(content);
        return written;
      },
    };
  }

  return {
    async scan(file, { queueId, handwritten = false, idempotencyKey, onProgress, signal }) {
      const language = locale();
      const number = fileNumbers.get(file) ?? ++files;
      fileNumbers.set(file, number);
      const content = JSON.stringify(['scan', number, queueId, handwritten]);
      const call = idempotencyKey == null ? begin(content) : undefined;
      const input = { file, queueId, handwritten, idempotencyKey: call?.key ?? idempotencyKey };
      const options = { onProgress, signal };
      const answer = await request(ScanIdentityCardDocument, { input, locale: language }, options).catch(
        lost,
      );
      const written = writtenOf<Scanned>(answer.data?.scanIdentityCard, answer.errors, language);
      return call?.settled(written) ?? written;
    },

    async importInvoices(inputs) {
      const language = locale();
      const contents = inputs.map((input) => JSON.stringify(['import', input]));
      const calls = inputs.map(({ idempotencyKey }, index) =>
        idempotencyKey == null ? begin(contents[index] as string) : undefined,
      );
      // Each is sent as it is now, which is the content of its key: the page may change it before its group is sent.
      const keyedInput = (content: string, index: number): ImportMalaysiaInvoiceInput => {
        const [, input] = JSON.parse(content);
        return { ...input, idempotencyKey: calls[index]?.key ?? input.idempotencyKey };
      };
      const written: Written<Imported>[] = [];
      for (let at = 0; at < contents.length; at = written.length) {
        const rest = contents.slice(at);
        const group = rest
          .slice(0, sizeOfGroup(rest))
          .map((content, index) => keyedInput(content, at + index));
        const outcomes = await sendList(group, async (some) => {
          const variables = { input: [...some], locale: language };
          const answer = await request(ImportMalaysiaInvoicesDocument, variables).catch(lost);
          return { results: answer.data?.importMalaysiaInvoices, errors: answer.errors };
        });
        for (const outcome of outcomes)
          written.push(writtenOf('result' in outcome ? outcome.result : null, outcome.errors, language));
      }
      return written.map((one, index) => calls[index]?.settled(one) ?? one);
    },

    async exportDocuments(documentIds) {
      const language = locale();
      const input = documentIds ? { documentIds: [...documentIds] } : {};
      const answer = await request(ExportDocumentsDocument, { input, locale: language }).catch(lost);
      return writtenOf<Exported>(answer.data?.exportDocuments, answer.errors, language);
    },
  };
}

/** How many of the first ones are sent together: one, or as many as the bounds allow. */
function sizeOfGroup(contents: readonly string[]): number {
  let length = 0;
  const tooMany = contents.findIndex((content, index) => {
    length += content.length;
    return index > 0 && (length > maxLength || index === maxInvoices);
  });
  return tooMany < 0 ? contents.length : tooMany;
}

/** No response came. */
function lost(): { readonly data: undefined; readonly errors: readonly WriteError[] } {
  return { data: undefined, errors: [] };
}

type Outcome<Result> = Result | ResultOf<RefusalFragment, 'InvalidInput'> | null | undefined;

function writtenOf<Result extends { readonly __typename: string }>(
  outcome: Outcome<Result>,
  errors: readonly WriteError[],
  locale: Locale,
): Written<Result> {
  if (!outcome) return failed(errors, locale);
  if (outcome.__typename === 'InvalidInput')
    return { kind: 'refused', problems: (outcome as RefusalFragment).problems };
  return { kind: 'done', result: outcome as Result, errors };
}

function failed(errors: readonly WriteError[], locale: Locale): Written<never> {
  return { kind: 'failed', message: messageOf(errors, locale), errors };
}

/** 128 random bits. `crypto.randomUUID` does not exist in pages without TLS. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
