/** How the values of environment variables are parsed. A description completes "must be …", the whole message for a refused value. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { parseRedisAddress, type RedisAddress } from './redis-address.ts';

export const malaysiaStates = [
  'QUEUED',
  'SUBMITTED',
  'VALIDATED',
  'REJECTED',
  'FAILED',
  'CANCELLED',
  'UNKNOWN',
] as const;

const text = (pattern: RegExp, must: string) => z.string().regex(pattern).describe(must);
const list = z.string().transform((text) => text.split(',').map((part) => part.trim()));
const number = (pattern: RegExp, what: string, min: number, max: number) =>
  text(pattern, what)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .describe(`${what} from ${min} to ${max}`);
export const whole = (min: number, max: number, unit = '') =>
  number(/^\d+$/, `a whole number${unit}`, min, max);
export const clockSpeed = number(/^\d+(\.\d+)?$/, 'a number', 0.01, 10_000);
export const port = whole(0, 65_535);
export const count = whole(1, 1_000_000);
export const ms = (max: number) => whole(1, max, ' of milliseconds');
export const bytes = (max: number) => whole(1024, max, ' of bytes');
const oneOf = <T extends string>(words: readonly T[]) => z.enum(words).describe(`one of ${words.join(', ')}`);
export const trueOrFalse = z.stringbool().describe('true or false');
export const nodeEnv = oneOf(['production', 'development', 'test']);
export const logLevel = oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']);
export const otlpProtocol = oneOf(['http/protobuf', 'http/json']);
export const fapiaoNameEncoding = oneOf(['percent', 'rfc2047', 'utf8']);
/** A text that only an address can be: digits with dots, or with a colon. */
const addressForm = /^[\d.]+$|:/;
export const host = z
  .string()
  .regex(/^[\w.:%-]+$/)
  .refine((name) => !addressForm.test(name) || isIP(name) !== 0)
  .describe('a host name or an address');
export const format = text(/^[\x20-\x7e]*\{value\}[\x20-\x7e]*$/, 'printable ASCII that contains {value}');
export const memberPath = z
  .string()
  .regex(/^[^\s.[\]]+(\.[^\s.[\]]+)*$/)
  .transform((path) => path.split('.'))
  .describe('names of members with dots between them, such as data.status');
export const stateWords = list
  .transform((pairs) => pairs.map((pair) => pair.split('=').map((part) => part.trim())))
  .pipe(z.array(z.tuple([z.string().min(1), z.enum(malaysiaStates)])))
  .refine(
    (pairs) =>
      new Set(pairs.map(([word]) => word.toLowerCase().replaceAll(/[\s_-]/g, ''))).size === pairs.length,
  )
  .describe(`comma-separated word=STATE, each word once, each STATE one of ${malaysiaStates.join(', ')}`);
export const path = z.string().min(1).describe('the path of a file');
const isLong = (key: string) => Buffer.byteLength(key) >= 32;
export const secret = z
  .string()
  .refine(isLong)
  .transform((value) => {
    // A single secret may contain commas, too.
    const [current = '', former = '', ...more] = value.split(',');
    const areTwo = more.length === 0 && isLong(current) && isLong(former);
    if (!areTwo) return { current: value, former: undefined };
    // Under one secret twice, the second reservation of a key would find the first.
    return { current, former: former === current ? undefined : former };
  })
  .describe('32 bytes or more, or two such secrets with a comma between them');

export const httpAddress = z
  .url()
  .regex(/^https?:\/\/[^\s\\]+$/i)
  .transform((url) => new URL(url))
  .describe('an http or https address');
export const hostList = text(/^[\w.:*,\s[\]-]+$/, 'comma-separated host names, or *');
export const sampler = oneOf([
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
]);
export const ratio = number(/^[\d.]+$/, 'a number', 0, 1);
export const files = list.pipe(z.array(z.string().min(1))).describe('comma-separated paths of files');
export const textPolicy = z
  .union([
    z.literal('report'),
    z.stringbool().transform((only): 'refuse' | 'run' => (only ? 'refuse' : 'run')),
  ])
  .describe('true, false or report');

export const redis = z
  .string()
  .transform(parseRedisAddress)
  .pipe(z.custom<RedisAddress>((address) => address !== undefined))
  .describe(
    'redis://host:6379/number, redis+sentinel://host:26379,host:26379/name or redis+cluster://host:6379,host:6379; rediss for TLS',
  );

const baseUrl = z
  .url()
  .regex(/^https?:\/\/[^\s\\/?#@]+(\/[^\s\\?#]*)?$/i)
  .transform((url) => new URL(url));
export const service = z
  .union([z.literal('sandbox'), baseUrl])
  .describe('an http or https address without user info, query or fragment, or the word sandbox');
// Normalized as browsers send it: lower case, without the scheme's default port. URL.origin is `null` for schemes that it does not know.
const origin = z
  .url()
  .regex(/^[a-z][a-z\d+.-]*:\/\/[^\s\\/?#@*]+$/i)
  .transform((url) => (new URL(url).origin === 'null' ? url.toLowerCase() : new URL(url).origin));
export const origins = list
  .pipe(z.union([z.tuple([z.literal('*')]), z.array(origin)]))
  .describe('comma-separated origins (scheme://host[:port], no path), or * alone');
