/** Answers that the service should not give. */
import { isObject, json, problem, type Reply } from './http.ts';

/** `after`: seconds, `date` (a minute from now) or `junk`. */
export function tooMany(after: string): Reply {
  const date = new Date(Date.now() + 60_000).toUTCString();
  const value = { junk: 'soon; or later', date }[after] ?? after;
  return problem(429, 'Too many requests.', { 'retry-after': value });
}

export function html(status: number): Reply {
  const body = '<!doctype html><html><head><title>Gateway</title></head><body><h1>Oops</h1></body></html>';
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

/** As an internal GraphQL service tells its errors: with status 200, and a text that misleads. */
export function graphqlError(code: string): Reply {
  return json(200, { errors: [{ message: 'Internal error', extensions: { code } }], data: null });
}

export function gzipped(body: Buffer): Reply {
  return { status: 200, headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' }, body };
}

export function cutShort({ status, headers, body }: Reply): Reply {
  return { status, headers, body: body.toString().slice(0, -2) };
}

export function withInternalHeaders({ status, headers, body }: Reply): Reply {
  const internal = { 'set-cookie': 'session=sandbox; Path=/', 'x-internal-host': 'node-7.internal' };
  return { status, headers: { ...headers, ...internal }, body };
}

/** Every object gets members of no meaning, among them an own `__proto__`. */
export function withExtraMembers(reply: Reply): Reply {
  const extend = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(extend);
    if (!isObject(value)) return value;
    const members = Object.entries(value).map(([name, inner]) => [name, extend(inner)]);
    return Object.fromEntries([
      ...members,
      ['__proto__', { polluted: true }],
      ['sandboxExtra', { since: 2 }],
    ]);
  };
  return { ...reply, body: JSON.stringify(extend(JSON.parse(reply.body.toString()))) };
}

/** Texts become numbers, numbers become texts; objects, arrays and nulls stay. */
export function withMistypedMembers(reply: Reply): Reply {
  return withLeaves(reply, (value) => (typeof value === 'string' ? 7 : 'seven'));
}

const wordMembers = ['status', 'validation_result', 'result', 'UIType', 'docType'];

/** The members that hold a word of a closed list hold one that is in none. */
export function withUnknownWords(reply: Reply): Reply {
  return withLeaves(reply, (value, member) => (wordMembers.includes(member) ? 'SANDBOX_WORD' : value));
}

function withLeaves(reply: Reply, change: (value: unknown, member: string) => unknown): Reply {
  const body = JSON.parse(reply.body.toString(), (member, value: unknown) =>
    typeof value === 'object' ? value : change(value, member),
  );
  return { ...reply, body: JSON.stringify(body) };
}
