/**
 * What may be claimed after a response: every combination of envelope, errors, status, members and form, for every endpoint.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GatewayError, InvalidInputError, type SideEffect } from '../../src/errors.ts';
import { outcomeOfResponse, parsedBody } from '../../src/upstream/call/response-outcome.ts';
import { type EndpointCase, endpoints } from '../support/endpoints.ts';
import {
  addedMembers,
  errorText,
  hasResult,
  type ResponseCase,
  responsesTo,
} from '../support/response-matrix.ts';

const credentials = { apiKey: 'a-key', authorization: 'Bearer a-token' };

/** What the gateway reports to the caller. */
interface Claim {
  readonly value?: any;
  readonly code?: string;
  readonly sideEffect?: SideEffect;
  readonly retryable?: boolean;
  /** Every reason that reaches the user. */
  readonly reasons: readonly string[];
}

function claimOf(response: ResponseCase): Claim {
  const { endpoint, status, contentType, body } = response;
  const description = endpoint.call;
  const call = {
    description,
    endpoint: description.endpoint,
    caller: { requestId: 'r', credentials },
    ms: 1,
  };
  const received = { status, headers: { 'content-type': contentType }, body: Buffer.from(body) };
  let outcome: ReturnType<typeof outcomeOfResponse>;
  try {
    outcome = outcomeOfResponse(call, received, parsedBody(received), () => {});
  } catch (error) {
    return { code: 'INTERNAL_SERVER_ERROR', reasons: [String(error)] };
  }
  if ('value' in outcome) {
    const value = outcome.value as any;
    return { value, reasons: (value.warnings ?? []).map(({ message }: { message: string }) => message) };
  }
  const { failure } = outcome;
  if (failure instanceof InvalidInputError) {
    return {
      code: 'InvalidInput',
      sideEffect: 'NONE',
      reasons: failure.problems.map(({ message }) => message),
    };
  }
  if (!(failure instanceof GatewayError)) throw failure;
  const { code, sideEffect, retryable, upstream, message } = failure;
  return { code, sideEffect, retryable, reasons: [message, ...(upstream?.messages ?? [])] };
}

/** Whether the response has the record, in a place where it is certainly the endpoint's. */
function hasRecord({ status, form, envelope, errors }: ResponseCase): boolean {
  return hasResult(status) && form === 'json' && envelope !== 'absent' && !errors?.isInstead;
}

/** Whether a member of the record has a value of the documented type. */
function has({ endpoint, variant }: ResponseCase, member: string): boolean {
  const value = variant.record[member];
  const isId =
    typeof value === 'number' ? Number.isSafeInteger(value) : typeof value === 'string' && value !== '';
  return endpoint.name === 'exportDocuments' ? typeof value === 'string' : isId;
}

function isProven(response: ResponseCase): boolean {
  const { proof } = response.endpoint;
  return proof !== undefined && hasRecord(response) && has(response, proof);
}

const isRead = ({ endpoint }: ResponseCase) => endpoint.kind === 'read';

/** Whether the response states that the call was rejected: a status, or the codes of errors without the record. */
function isRejected(response: ResponseCase): boolean {
  const { endpoint, status, envelope, errors, variant } = response;
  if (status >= 400 && status < 500) return true;
  const hasOnlyReason = Object.keys(variant.record).every((name) =>
    ['message', ...addedMembers].includes(name),
  );
  const isAlone =
    isRead(response) ||
    errors?.isInstead === true ||
    envelope === 'absent' ||
    (!endpoint.envelope && hasOnlyReason);
  return hasResult(status) && isAlone && errors?.refusal !== undefined;
}

/** What may be claimed: `isMade` only where `isAllowed`. */
const claims: readonly {
  readonly claim: string;
  readonly isMade: (claim: Claim, response: ResponseCase) => boolean;
  readonly isAllowed: (response: ResponseCase, claim: Claim) => boolean;
}[] = [
  {
    claim: 'a write was done only with the id of what it made',
    isMade: ({ value, sideEffect }, { endpoint }) =>
      endpoint.kind === 'write' && (value !== undefined || sideEffect === 'APPLIED'),
    isAllowed: isProven,
  },
  {
    claim: 'a write did nothing only if the response says so',
    isMade: ({ sideEffect }, { endpoint }) => endpoint.kind === 'write' && sideEffect === 'NONE',
    isAllowed: isRejected,
  },
  {
    claim: 'a repetition is harmless only if nothing was done',
    isMade: ({ retryable }) => retryable === true,
    isAllowed: (response, { sideEffect }) => isRead(response) || sideEffect === 'NONE',
  },
  {
    claim: 'nothing was found only if the response says so, and is not a page of another server',
    isMade: ({ code }) => code === 'NOT_FOUND',
    isAllowed: (response) => {
      const { status, form, errors } = response;
      if (status === 404) return !(isRead(response) && form === 'html');
      return isRejected(response) && errors?.refusal === 'NOT_FOUND';
    },
  },
  {
    claim: 'a state is final only by a word of the document',
    isMade: ({ value }) => value?.state !== undefined && value.state !== 'UNKNOWN',
    isAllowed: (response) => hasRecord(response) && typeof response.variant.record['status'] === 'string',
  },
  {
    claim: 'a validation has a result only in its own word',
    isMade: ({ value }, { endpoint }) => endpoint.name === 'mexicoValidation' && value?.result === 'VALID',
    isAllowed: (response) => hasRecord(response) && response.variant.record['validation_result'] === 'VALID',
  },
  {
    claim: 'a status has a result only if it may have one',
    isMade: ({ value }) => value !== undefined,
    isAllowed: hasRecord,
  },
  {
    claim: 'a response with neither a result nor a rejection does not match the interface',
    isMade: ({ value, code }, { status }) =>
      status < 400 && value === undefined && code !== 'UPSTREAM_BAD_RESPONSE',
    isAllowed: isRejected,
  },
  {
    claim: 'no reason is empty',
    isMade: ({ reasons, value }) =>
      (value === undefined && reasons.length === 0) || reasons.some((text) => text.trim() === ''),
    isAllowed: () => false,
  },
  { claim: 'no bug is met', isMade: ({ code }) => code === 'INTERNAL_SERVER_ERROR', isAllowed: () => false },
];

/** What must be claimed: doubt about one value is not doubt about another. */
const certainties: readonly {
  readonly claim: string;
  readonly isStated: (response: ResponseCase) => boolean;
  readonly isMade: (claim: Claim, response: ResponseCase) => boolean;
}[] = [
  {
    claim: 'a write was done if the id arrived, whatever else did',
    isStated: isProven,
    isMade: ({ value }) => value !== undefined,
  },
  {
    claim: 'what is reported together with a result is a warning',
    isStated: (response) => isProven(response) && response.errors !== undefined,
    isMade: ({ reasons }) => reasons.includes(errorText),
  },
  {
    claim: 'a reason of the service reaches the user',
    isStated: ({ status, body, variant }) => {
      const isTold = [400, 403, 404, 408, 409, 413, 415, 422, 423, 429].includes(status);
      return body.includes(errorText) && (isTold || (hasResult(status) && variant.what === 'no record'));
    },
    isMade: ({ reasons }) => reasons.includes(errorText),
  },
  {
    claim: 'errors instead of a result have the code that they state',
    isStated: ({ status, errors }) =>
      hasResult(status) && errors?.isInstead === true && errors.refusal !== undefined,
    isMade: ({ code }, { endpoint, errors }) => {
      const isInvalid = errors?.refusal === 'BAD_USER_INPUT' && endpoint.kind === 'write';
      return code === (isInvalid ? 'InvalidInput' : errors?.refusal);
    },
  },
  {
    claim: 'a rejected input is one',
    isStated: ({ endpoint, status }) => endpoint.kind === 'write' && [400, 422].includes(status),
    isMade: ({ code }) => code === 'InvalidInput',
  },
  {
    claim: 'a complete record is read',
    isStated: (response) =>
      hasRecord(response) &&
      response.errors === undefined &&
      ['complete', 'with a new member'].includes(response.variant.what),
    isMade: ({ value }) => value !== undefined,
  },
  {
    claim: 'a missing credential is one',
    isStated: ({ status }) => status === 401,
    isMade: ({ code, sideEffect }) => code === 'UNAUTHENTICATED' && sideEffect === 'NONE',
  },
];

/** The first cases that break a rule, for the message of a failure. */
function described(
  { endpoint, status, form, envelope, errors, variant }: ResponseCase,
  claim: Claim,
): string {
  const { member = '', what } = variant;
  return JSON.stringify([endpoint.name, status, form, envelope, errors, `${member} ${what}`, claim]);
}

it('the response matrix has every endpoint of src/features', () => {
  const folder = 'src/features';
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.api.ts'))
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/\bpath: '(\/[^']*)'/g)])
    .map(([, path]) => path);
  const inMatrix = endpoints.map(({ call }) => call.endpoint.path);
  expect(inMatrix.sort(), 'add a row to test/support/endpoints.ts').toEqual(paths.sort());
});

const casesOf = (endpoint: EndpointCase) =>
  [...responsesTo(endpoint)].map((response) => ({ response, claim: claimOf(response) }));
const matrix = endpoints.map((endpoint) => ({ ...endpoint, endpoint, cases: casesOf(endpoint) }));

describe.each(matrix)('after any response to $name', ({ cases }) => {
  it.each(claims)('$claim', ({ isMade, isAllowed }) => {
    const broken = cases.filter(
      ({ response, claim }) => isMade(claim, response) && !isAllowed(response, claim),
    );
    expect(broken.slice(0, 3).map(({ response, claim }) => described(response, claim))).toEqual([]);
  });

  it.each(certainties)('$claim', ({ isStated, isMade }) => {
    const broken = cases.filter(({ response, claim }) => isStated(response) && !isMade(claim, response));
    expect(broken.slice(0, 3).map(({ response, claim }) => described(response, claim))).toEqual([]);
  });
});
