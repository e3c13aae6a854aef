/**
 * The common case, POST application/json, answered without the fetch API: an adapter to the same pipeline,
 * whose answers are those of Yoga. What it does not take, and Yoga does:
 *
 * - GET and OPTIONS, multipart requests, any other content type, a charset in another spelling, a body that is
 *   compressed (which is refused);
 * - an `accept` that names neither JSON type nor a wildcard, or one with a charset: event streams, for one;
 * - subscriptions, which have no plain answer.
 */
import type { IncomingMessage } from 'node:http';
import { type ExecutionResult, OperationTypeNode } from 'graphql';
import type { Config } from '../config.ts';
import type { Pipeline } from '../graphql/pipeline.ts';
import { type AnswerError, type AnswerStatus, errorOfResult, errorsOfRequest } from './error-answer.ts';
import { readJsonBody } from './request-body.ts';
import type { Rim } from './yoga.ts';

const plainJson = /^application\/json(; ?charset=utf-8)?$/i;

type AnswerType = 'application/json' | 'application/graphql-response+json';

/** Whether the request is one; any other content type, encoding or wish for an answer is Yoga's. */
export function takesJsonPost({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'POST' &&
    plainJson.test(headers['content-type'] ?? '') &&
    headers['content-encoding'] === undefined &&
    answerType(headers.accept) !== undefined
  );
}

/** False: it asks for a subscription, which is Yoga's; what was read of the request stands in `rim.operation`. */
export async function answerJsonPost(pipeline: Pipeline, { limits }: Config, rim: Rim): Promise<boolean> {
  const { request, response, requestId } = rim;
  const type = answerType(request.headers.accept) as AnswerType;
  let result: ExecutionResult;
  let told: AnswerError[] = [];
  try {
    rim.operation = await readJsonBody(request, response, limits.maxRequestBytes);
    const operation = pipeline.prepare(rim.operation, requestId);
    if (operation.operation.operation === OperationTypeNode.SUBSCRIPTION) return false;
    result = await pipeline.execute(operation, rim.caller());
    if (result.errors) told = result.errors.map((error) => errorOfResult(error, !('data' in result)));
  } catch (error) {
    told = errorsOfRequest(error, pipeline, requestId);
    result = { errors: told.map(({ error }) => error) };
  }
  const body = JSON.stringify(result);
  const { status, headers } = statusOf(told, type);
  response.writeHead(status, {
    ...headers,
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
  return true;
}

/** The highest status of all errors: 200 when none concerns the request. */
function statusOf(errors: readonly AnswerError[], type: AnswerType): AnswerStatus {
  return errors.reduce<AnswerStatus>(
    (answer, { http }) => {
      if (!http) return answer;
      const headers = { ...answer.headers, ...http.headers };
      const isOfAnswer = !(http.spec && type === 'application/json') && http.status > answer.status;
      return { status: isOfAnswer ? http.status : answer.status, headers };
    },
    { status: 200 },
  );
}

const answerTypes = new Map<string, AnswerType | undefined>();
const maxAnswerTypes = 100;

/** The first media type of `accept` that we speak, as Yoga chooses it; undefined: not for us to say. */
function answerType(accept = '*/*'): AnswerType | undefined {
  if (answerTypes.has(accept)) return answerTypes.get(accept);
  const type = firstSpoken(accept);
  if (answerTypes.size < maxAnswerTypes) answerTypes.set(accept, type);
  return type;
}

function firstSpoken(accept: string): AnswerType | undefined {
  for (const range of accept.toLowerCase().replaceAll(/\s/g, '').split(',')) {
    const [type, ...parameters] = range.split(';');
    if (parameters.some((parameter) => parameter.startsWith('charset='))) return undefined;
    if (type === 'application/json' || type === 'application/graphql-response+json') return type;
    if (type === '*/*' || type === 'application/*') return 'application/json';
  }
  return undefined;
}
