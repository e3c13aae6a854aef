/** Writes under an idempotency key: they run once, and their outcome can be found. */
import { createHash, hash } from 'node:crypto';
import { type Caller, credentialHeaders } from '../caller.ts';
import { badRequest, badUserInput, GatewayError } from '../errors.ts';
import type { FoundWrite, LedgerInput, LedgerKey } from '../state/ledger/ledger.ts';
import { type JsonValue, writeJson } from '../tools/exact-number.ts';
import type { Context } from './context.ts';

const keyForm = /^[A-Za-z0-9_.:-]{8,128}$/;

export const idempotencyKeyDescription =
  'Makes it safe to repeat this mutation: the same input with the same key is sent to the service once, and every repetition ' +
  'returns the first outcome. 8 to 128 letters, digits, `_`, `.`, `:` or `-`; kept for IDEMPOTENCY_TTL_MS, and by a gateway without Redis ' +
  'until it restarts. The same key with another input, or another token of the same API key, is IDEMPOTENCY_CONFLICT.';

/**
 * Runs a write. With an idempotency key it runs at most once, and repetitions get its outcome. `type`: name of the GraphQL
 * type of its result, which is one of `WriteResult`. `write` gets what `readInput` returns; undefined without a key.
 */
export function runOnce<T, Input extends LedgerInput>(
  { caller, ledger, resultSize, sideEffect }: Context,
  key: string | null | undefined,
  type: string,
  readInput: () => Input,
  write: (input?: Input) => Promise<T>,
): Promise<T> {
  if (key === null || key === undefined) return write();
  const ledgerKey = ledgerKeyOf(key, caller);
  const input = readInput();
  const { requestId, span, observer } = caller;
  const heldBytes = resultSize?.largeBytes;
  const onRepetition = (sentBy: string) => observer?.onRepetition?.(sentBy);
  const request = { ...ledgerKey, type, input, requestId, span, onRepetition, heldBytes };
  return sideEffect.follow(ledger.runOnce(request, () => write(input)));
}

/**
 * What became of the caller's write under a key; undefined if the key is not in use, or another owner's. Only the lane that
 * sent the write sees its outcome: for another one of the owner, such as that of a renewed token, it is unknown. Sends nothing.
 */
export async function findWrite({ caller, ledger }: Context, key: string): Promise<FoundWrite | undefined> {
  const { apiKey, authorization } = caller.credentials;
  if (apiKey === undefined && authorization === undefined) {
    throw new GatewayError({
      code: 'UNAUTHENTICATED',
      message: `The field writeOutcome requires the header ${credentialHeaders.apiKey} or ${credentialHeaders.authorization}: the gateway cannot distinguish callers without credentials.`,
    });
  }
  return await ledger.find(ledgerKeyOf(key, caller));
}

function ledgerKeyOf(key: string, { owner, lane, credentials }: Caller): LedgerKey {
  if (!keyForm.test(key)) {
    throw badUserInput('idempotencyKey must be 8 to 128 letters, digits, "_", ".", ":" or "-".');
  }
  // The token is not part of the owner: a repetition with a renewed token must find the key, or it would be sent twice.
  return { owner, lane, key, credentials };
}

/** The digest of an input that is completely in memory. */
export function inputOf(endpoint: string, input: JsonValue): LedgerInput {
  return { digest: Promise.resolve(digestOf(endpoint, input)), consume() {} };
}

/** The digest of an input with a streamed file, known when the file has been read. Send `content` instead of the file. */
export function inputWithFile(
  endpoint: string,
  input: JsonValue,
  content: AsyncIterable<Uint8Array>,
): LedgerInput & { readonly content: AsyncIterable<Uint8Array> } {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const file = createHash('sha256');

  async function* read(): AsyncGenerator<Uint8Array, void, void> {
    try {
      for await (const chunk of content) {
        file.update(chunk);
        yield chunk;
      }
      resolve(digestOf(endpoint, [input, file.digest('hex')]));
    } catch (error) {
      reject(error);
      throw error;
    } finally {
      // Has no effect once the digest is settled. Otherwise the reader stopped before the end of the file.
      reject(badRequest('The file was not read to its end; nothing was done.'));
    }
  }

  const counted = read();
  return {
    content: counted,
    digest: promise,
    consume: () => void drain(counted).catch(reject),
  };
}

async function drain(content: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _chunk of content);
}

function digestOf(endpoint: string, input: JsonValue): string {
  return hash('sha256', writeJson([endpoint, input]), 'base64url');
}
