import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigurationError, readConfig } from '../../src/config/config.ts';
import { configTable } from '../../src/config/variables.ts';
import { configWarnings, openFilesLimit } from '../../src/config/warnings.ts';
import { temporaryFolder } from '../support/lifetimes.ts';

type Environment = Record<string, string>;

function errorOf(env: Environment): ConfigurationError | undefined {
  try {
    readConfig(env);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
}

const problemsOf = (env: Environment) => errorOf(env)?.problems ?? [];
const names = configTable.map(({ name }) => name);
const production = { NODE_ENV: 'production', UPSTREAM_URL: 'https://service.example' };

describe('readConfig', () => {
  it('of an empty environment is development on this machine with the sandbox', () => {
    expect(readConfig({})).toMatchObject({
      production: false,
      listen: { host: '127.0.0.1', port: 4000 },
      upstream: { target: { kind: 'sandbox', reason: 'UPSTREAM_URL is not set', speed: 1 } },
      ...{ corsOrigins: [], redisAddress: undefined, laneSecret: undefined, tracing: undefined },
      ...{ graphiql: true, introspection: true, exposesCalls: true },
    });
  });

  it('treats an empty variable as unset, and ignores unknown ones', () => {
    const empty = Object.fromEntries(names.map((name) => [name, '']));
    expect(readConfig({ ...empty, HOME: '/', UPSTREAM: 'x' })).toEqual(readConfig({}));
  });

  it('reports all problems together, in the order of the table, in the message of its error too', () => {
    const env = { PORT: '65536', LOG_LEVEL: 'loud', GRAPHIQL: 'maybe', UPSTREAM_URL: 'ftp://files' };
    const problems = [
      { variable: 'PORT', message: 'must be a whole number from 0 to 65535' },
      {
        variable: 'UPSTREAM_URL',
        message: 'must be an http or https address without user info, query or fragment, or the word sandbox',
      },
      { variable: 'GRAPHIQL', message: 'must be true or false' },
      { variable: 'LOG_LEVEL', message: 'must be one of trace, debug, info, warn, error, fatal, silent' },
    ];
    expect(problemsOf(env)).toEqual(problems);
    const lines = problems.map(({ variable, message }) => `\n  ${variable} ${message}`);
    expect(errorOf(env)?.message).toBe(`The configuration cannot be used:${lines.join('')}`);
  });

  it.each([
    ['4000\r', 'without white space at its ends'],
    [' 4000', 'without white space at its ends'],
    ['"4000"', 'without quotation marks around it'],
    ["'4000'", 'without quotation marks around it'],
  ])('names what is at the ends of a refused value: %j', (PORT, without) => {
    expect(problemsOf({ PORT })).toEqual([
      { variable: 'PORT', message: `must be a whole number from 0 to 65535, ${without}` },
    ]);
  });

  it('names the encoding of a password that is refused in REDIS_URL, as of one in base64', () => {
    const [problem] = problemsOf({ REDIS_URL: 'redis://:a/b+c=@redis', LANE_SECRET: one });
    expect(problem?.message).toMatch(/user and password.* are percent-encoded$/);
  });

  it('never quotes a refused value', () => {
    const planted = 'planted-4711';
    const error = errorOf(Object.fromEntries(names.map((name) => [name, `${planted} é`])));
    expect(error?.problems.length).toBeGreaterThan(25);
    expect(JSON.stringify([error, error?.message])).not.toContain(planted);
  });
});

const [one, two] = ['a'.repeat(32), 'b'.repeat(32)];
const at = (href: string) => expect.objectContaining({ href });
const to = (href: string) => ({ upstream: { target: { kind: 'remote', baseUrl: at(href) } } });
const secret = (current: string, former?: string) => ({ laneSecret: { current, former } });

it.each<[name: string, value: string, config: object]>([
  ['UPSTREAM_URL', 'http://localhost:8080', to('http://localhost:8080/')],
  ['UPSTREAM_URL', 'https://service.example/api/v1', to('https://service.example/api/v1')],
  ['UPSTREAM_URL', 'http://[::1]:8080', to('http://[::1]:8080/')],
  [
    'CORS_ORIGINS',
    'https://App.Example:443, http://localhost:3000',
    { corsOrigins: ['https://app.example', 'http://localhost:3000'] },
  ],
  ['CORS_ORIGINS', 'capacitor://localhost', { corsOrigins: ['capacitor://localhost'] }],
  ['CORS_ORIGINS', '*', { corsOrigins: ['*'] }],
  ...['0.0.0.0', '::1', 'gateway.local', 'fe80::1%eth0'].map(
    (host) => ['HOST', host, { listen: { host } }] as [string, string, object],
  ),
  ['NODE_ENV', 'test', { production: false }],
  ['NO_PROXY', '.svc, 10.0.0.1/32,fd00::1/128 127.0.0.1:80', {}],
  ['SANDBOX_SPEED', '0.5', { upstream: { target: { speed: 0.5 } } }],
  ['HANDWRITTEN_FORMAT', '"{value}"', { assumptions: { handwrittenFormat: '"{value}"' } }],
  // 32 bytes, not characters.
  ['LANE_SECRET', 'é'.repeat(16), secret('é'.repeat(16))],
  ['LANE_SECRET', `${one},${two}`, secret(one, two)],
  // A key would be reserved twice under one name, and so never be free.
  ['LANE_SECRET', `${one},${one}`, secret(one)],
  // Commas of a single secret.
  ...[one, `${one},short`, `${one},${two},${one}`, 'a secret, of 32 bytes, or more than 32'].map(
    (value) => ['LANE_SECRET', value, secret(value)] as [string, string, object],
  ),
])('%s may be %j', (name, value, config) => {
  expect(readConfig({ [name]: value })).toMatchObject(config);
});

const rejected: Record<string, readonly string[]> = {
  NODE_ENV: ['Production', 'production ', 'staging'],
  UPSTREAM_URL: [
    ...['service.example', 'SANDBOX', 'file:///etc/passwd', 'https://', 'https:service.example'],
    ...['https://user@service.example', 'https://service.example/?', 'https://service.example/#top'],
    ...['https://service.example\\api', 'https://service.example/a b', 'https://service.example:99999'],
  ],
  HTTPS_PROXY: ['socks5://proxy', 'http://user:50%off@proxy'],
  HTTP_PROXY: ['http://50%off@proxy'],
  NO_PROXY: [
    'http://service.example',
    'service.example/8',
    '10.0.0.0/33',
    'fd00::/129',
    '10.0.0/8',
    '10.0.0.0/',
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    'http://user:50%off@collector',
    'http://collector/?tenant=a',
    'http://collector/#a',
  ],
  CORS_ORIGINS: [
    ...['app.example', 'https://app.example/', 'https://*.app.example', 'https://user@app.example', 'null'],
    ...['*,https://app.example', 'https://app.example,,https://b.example'],
  ],
  PORT: ['1e3', '0x10', '1.5', '-1', '+1', ' 1', '1_000', '1000ms', '０', 'Infinity', '9'.repeat(40)],
  HOST: ['0.0.0.0:80', 'gateway:4000', '999.1.1.1', '127.0.0.1.', '[::1]', 'a b'],
  LANE_SECRET: ['x'.repeat(31), 'short,shorter'],
  MALAYSIA_STATUS_STATE: ['data[0].status', '"data.status"'],
  MALAYSIA_STATUS_REASON: ['a b'],
  MALAYSIA_STATUS_WORDS: ['done', 'done=FINISHED', 'In Portal=SUBMITTED,in_portal=QUEUED'],
  HANDWRITTEN_FORMAT: ['[value]', '«{value}»', '{value}\r\n'],
};

it.each(Object.entries(rejected).flatMap(([name, values]) => values.map((value) => [name, value] as const)))(
  '%s must not be %j',
  (name, value) => {
    expect(problemsOf({ [name]: value })).toMatchObject([{ variable: name }]);
  },
);

it.each(names.filter((name) => name.endsWith('_MS')))(
  '%s is at most what a timer of Node.js can wait (24 days), and not 0 but for SHUTDOWN_DELAY_MS',
  (name) => {
    expect(problemsOf({ [name]: String(2 ** 31) })[0]).toMatchObject({ variable: name });
    const problems = problemsOf({ [name]: '0' });
    expect(problems.some(({ variable }) => variable === name)).toBe(name !== 'SHUTDOWN_DELAY_MS');
  },
);

describe('NODE_ENV=production', () => {
  it('turns GraphiQL and introspection off unless their variables are true, and lists no calls', () => {
    const off = { graphiql: false, introspection: false, exposesCalls: false };
    expect(readConfig(production)).toMatchObject({ production: true, ...off });
    const { exposesCalls } = readConfig({ NODE_ENV: 'production', UPSTREAM_URL: 'sandbox' });
    expect(exposesCalls).toBe(false);
    const asked = { ...production, GRAPHIQL: 'true', INTROSPECTION: 'yes' };
    expect(readConfig(asked)).toMatchObject({ graphiql: true, introspection: true });
  });

  it('requires UPSTREAM_URL, which may be the word sandbox', () => {
    const message = 'must be set in production, to the address of the service or to sandbox';
    expect(problemsOf({ NODE_ENV: 'production', UPSTREAM_URL: '' })).toEqual([
      { variable: 'UPSTREAM_URL', message },
    ]);
    const { target } = readConfig({ NODE_ENV: 'production', UPSTREAM_URL: 'sandbox' }).upstream;
    expect(target).toMatchObject({ kind: 'sandbox', reason: 'UPSTREAM_URL is sandbox' });
  });
});

describe('variables together', () => {
  it.each([
    ['http://10.1.2.3', true],
    ['https://[fd00::1]:8443', true],
    ['http://11.1.2.3', false],
    ['http://ten.example', false],
  ])('a proxy is not used for %s where that is in a network of NO_PROXY', (UPSTREAM_URL, isDirect) => {
    const proxies = { HTTP_PROXY: 'http://proxy', HTTPS_PROXY: 'http://proxy' };
    const { target } = readConfig({ ...proxies, UPSTREAM_URL, NO_PROXY: 'a.b,10.0.0.0/8,fd00::/8' }).upstream;
    expect('proxy' in target && target.proxy === undefined).toBe(isDirect);
  });

  const redis = { REDIS_URL: 'redis://127.0.0.1', LANE_SECRET: one };

  it.each<[Environment, problem?: string]>([
    [{ REDIS_REPLICAS: '1' }, 'REDIS_REPLICAS must be 0 without REDIS_URL'],
    [{ REDIS_REPLICAS: '0' }],
    [
      { REDIS_URL: redis.REDIS_URL },
      'LANE_SECRET must be set with REDIS_URL, to the same value on all gateways',
    ],
    [{ REDIS_REPLICAS: '1', ...redis }],
    [
      { MALAYSIA_POLL_MIN_MS: '500', MALAYSIA_POLL_MAX_MS: '499' },
      'MALAYSIA_POLL_MAX_MS must not be below MALAYSIA_POLL_MIN_MS',
    ],
    [{ MALAYSIA_POLL_MIN_MS: '500', MALAYSIA_POLL_MAX_MS: '500' }],
    [
      { PERSISTED_OPERATIONS_ONLY: 'true' },
      'PERSISTED_OPERATIONS must be set with PERSISTED_OPERATIONS_ONLY',
    ],
    [{ PERSISTED_OPERATIONS_ONLY: 'yess' }, 'PERSISTED_OPERATIONS_ONLY must be true, false or report'],
    [{ PORT: '4001', METRICS_PORT: '4001' }, 'METRICS_PORT must be another port than PORT'],
    [{ METRICS_PORT: '4000' }, 'METRICS_PORT must be another port than PORT'],
    [{ PORT: '0', METRICS_PORT: '0' }],
  ])('%j have the problem %j', (env, ...problems) => {
    expect(problemsOf(env).map(({ variable, message }) => `${variable} ${message}`)).toEqual(
      problems.filter(Boolean),
    );
  });

  it('LANE_SECRET and REDIS_URL are read from files, without the line break at their end', () => {
    const folder = temporaryFolder();
    const [LANE_SECRET_FILE, REDIS_URL_FILE] = [join(folder, 'secret'), join(folder, 'url')];
    writeFileSync(LANE_SECRET_FILE, `${one}\n`);
    writeFileSync(REDIS_URL_FILE, 'redis://127.0.0.1\n');
    expect(readConfig({ LANE_SECRET_FILE, REDIS_URL_FILE })).toMatchObject({
      ...secret(one),
      redisAddress: { kind: 'server', url: 'redis://127.0.0.1' },
    });
    expect(problemsOf({ LANE_SECRET_FILE, LANE_SECRET: two })).toEqual([
      { variable: 'LANE_SECRET_FILE', message: 'must not be set together with LANE_SECRET' },
    ]);
    const [none, message] = [join(folder, 'none'), 'must be the path of a file that can be read'];
    expect(problemsOf({ LANE_SECRET_FILE: none, REDIS_URL: 'redis://127.0.0.1' })).toEqual([
      { variable: 'LANE_SECRET_FILE', message },
    ]);
    expect(problemsOf({ REDIS_URL_FILE: none, REDIS_REPLICAS: '1' })).toEqual([
      { variable: 'REDIS_URL_FILE', message },
    ]);
    writeFileSync(LANE_SECRET_FILE, 'short');
    const tooShort = /^names a file whose content must be 32 bytes or more/;
    const named = { variable: 'LANE_SECRET_FILE', message: expect.stringMatching(tooShort) };
    expect(problemsOf({ LANE_SECRET_FILE })).toEqual([named]);
  });

  it.each(['', ' \n'])('a file with %j is refused, and does not count as an unset variable', (content) => {
    const path = join(temporaryFolder(), 'empty');
    writeFileSync(path, content);
    const message = 'must be the path of a file that is not empty';
    for (const variable of ['LANE_SECRET_FILE', 'REDIS_URL_FILE'] as const)
      expect(problemsOf({ [variable]: path })).toEqual([{ variable, message }]);
  });

  it('a file of random bytes is refused, since reading them as UTF-8 loses half of them', () => {
    const LANE_SECRET_FILE = join(temporaryFolder(), 'random');
    writeFileSync(LANE_SECRET_FILE, Buffer.alloc(64, 0xc3));
    const message = expect.stringMatching(/^names a file whose content must be 32 bytes or more in UTF-8,/);
    expect(problemsOf({ LANE_SECRET_FILE })).toEqual([{ variable: 'LANE_SECRET_FILE', message }]);
  });

  it.each<[Environment, boolean]>([
    [{}, true],
    [{ GRAPHIQL: 'false' }, false],
    [{ GRAPHIQL: 'false', INTROSPECTION: 'true' }, true],
    [{ GRAPHIQL: 'true', INTROSPECTION: 'false' }, false],
    [{ ...production, GRAPHIQL: 'true' }, true],
  ])('introspection follows GRAPHIQL unless INTROSPECTION is set: %j', (env, introspection) => {
    expect(readConfig(env).introspection).toBe(introspection);
  });
});

describe('configWarnings', () => {
  const file = '/none/ca.pem';
  const https = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector' };
  const cannotBeRead = 'names a file that cannot be read';

  it.each<[env: Environment, warning: string]>([
    [
      { SHUTDOWN_GRACE_MS: '30000', UPSTREAM_READ_DEADLINE_MS: '30000' },
      'SHUTDOWN_GRACE_MS is not longer than UPSTREAM_READ_DEADLINE_MS, UPSTREAM_WRITE_DEADLINE_MS:',
    ],
    [
      { ...production, UPSTREAM_SCAN_DEADLINE_MS: '35000' },
      'SHUTDOWN_GRACE_MS is not longer than UPSTREAM_SCAN_DEADLINE_MS:',
    ],
    ...['READ', 'WRITE', 'SCAN'].map((kind): [Environment, string] => {
      const name = `UPSTREAM_${kind}_DEADLINE_MS`;
      return [{ [name]: '999' }, `${name} is shorter than a second`];
    }),
    [
      { ...https, OTEL_TRACES_SAMPLER_ARG: '0.01' },
      'OTEL_TRACES_SAMPLER_ARG has no effect with OTEL_TRACES_SAMPLER=parentbased_always_on.',
    ],
    [{ IDEMPOTENCY_TTL_MS: '120000' }, 'IDEMPOTENCY_TTL_MS '],
    [{ NODE_ENV: 'production', UPSTREAM_URL: 'sandbox', SHUTDOWN_GRACE_MS: '130000' }, 'invented data'],
    [{ UPSTREAM_URL: 'http://service.example' }, 'unencrypted'],
    [{ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, 'NODE_TLS_REJECT_UNAUTHORIZED is 0: '],
    [{ LANE_SECRET: `${one},short` }, 'one secret'],
    [{ LANE_SECRET: `${two},${one},${two}` }, 'one secret'],
    [{ LANE_SECRET: `${one}\n` }, 'LANE_SECRET_FILE'],
    [{ LANE_SECRET: `${two},${one}\n` }, 'LANE_SECRET_FILE'],
    [{ LANE_SECRET: `"${one}"` }, 'LANE_SECRET is in quotation marks'],
    [{ NODE_EXTRA_CA_CERTS: file }, `NODE_EXTRA_CA_CERTS ${cannotBeRead}`],
    [{ NODE_EXTRA_CA_CERTS: 'package.json' }, `${cannotBeRead}, or has no certificate in PEM`],
    [{ ...https, OTEL_EXPORTER_OTLP_CERTIFICATE: file }, `OTEL_EXPORTER_OTLP_CERTIFICATE ${cannotBeRead}`],
  ])('warns about %j: %s', (env, warning) => {
    expect(configWarnings(readConfig(env), env)).toEqual([expect.stringContaining(warning)]);
  });

  it.each([
    ['MAX_REQUEST_BYTES', 12 * 1024 * 1024, 'one'],
    ['MAX_XML_BYTES', 7 * 1024 * 1024, 'that of a caller whom the service has not accepted yet'],
  ])('warns about %s above the %i bytes that a heap of 256 MiB has room for', (name, most, whose) => {
    const warningsOf = (bytes: number) =>
      configWarnings(readConfig({ [name]: `${bytes}` }, 256 * 1024 * 1024));
    expect(warningsOf(most)).toEqual([]);
    expect(warningsOf(most + 1)).toEqual([
      expect.stringMatching(new RegExp(`^${name} .*: ${whose} of more than ${most} bytes .* RATE_LIMITED`)),
    ]);
  });

  it('warns in production about a limit on open files that a heap of 256 MiB has more connections than', () => {
    const ready = { ...production, SHUTDOWN_GRACE_MS: '130000' };
    const warningsAt = (openFiles: number, settings: Environment = ready) =>
      configWarnings(readConfig(settings, 256 * 1024 * 1024), settings, openFiles);
    expect(warningsAt(17_383)).toEqual([expect.stringMatching(/^The limit on open files .* to 17384: /)]);
    expect(warningsAt(17_384)).toEqual([]);
    expect(warningsAt(1_024, {})).toEqual([]);
    expect(openFilesLimit()).toBeGreaterThan(100);
  });

  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' };

  it.each([
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization: Bearer planted-4711='],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'x-tenant=a,planted-4711'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'x-token=planted-4711;x-tenant=a'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'x-token=planted-4711%'],
    ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'x-token=planted-4711%0A'],
    ['OTEL_EXPORTER_OTLP_METRICS_HEADERS', '=planted-4711'],
    ['OTEL_EXPORTER_OTLP_METRICS_HEADERS', 'x-token=\u4e2d'],
    ['OTEL_EXPORTER_OTLP_METRICS_HEADERS', 'x-token='],
  ])(
    'warns about headers for the collector that are not sent, without their value: %s=%j',
    (name, headers) => {
      const env = { ...collector, [name]: headers };
      expect(configWarnings(readConfig(env), env)).toEqual([
        `${name} has an entry that is not a header as name=value, percent-encoded: the collector may take nothing.`,
      ]);
    },
  );

  it.each<Environment>([
    ...['READ', 'WRITE', 'SCAN'].map((kind) => ({ [`UPSTREAM_${kind}_DEADLINE_MS`]: '1000' })),
    ...['', 'https://service.example', 'http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:80'].map(
      (UPSTREAM_URL) => ({ UPSTREAM_URL }),
    ),
    { ...collector, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.01' },
    { ...collector, OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20c2VjcmV0==, x-tenant = a b ,' },
    { ...collector, OTEL_EXPORTER_OTLP_HEADERS: ' ' },
    { OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant' },
  ])('does not warn about %j', (env) => expect(configWarnings(readConfig(env), env)).toEqual([]));
});

describe('an unknown variable', () => {
  const warningsFor = (...unknown: string[]) =>
    configWarnings(readConfig({}), Object.fromEntries(unknown.map((name) => [name, 'planted-4711'])));

  it.each([
    ['UPSTREAM_ULR', 'UPSTREAM_URL'],
    ['MALAYSIA_POLL_MINIMUM_MS', 'MALAYSIA_POLL_MIN_MS'],
    ['REDIS_URI', 'REDIS_URL'],
    ['RATE_LIMIT', 'RATE_LIMIT_PER_MINUTE'],
    ['INTROSPECTON', 'INTROSPECTION'],
    ['INTROSPCTON', 'INTROSPECTION'],
    ['upstream_url', 'UPSTREAM_URL'],
    ['INTROSPXXECTION', 'INTROSPECTION'],
    ['INTROXXECTION', 'INTROSPECTION'],
    ['STREAM_URL', 'UPSTREAM_URL'],
    ['MYUPSTREAM_URL', 'UPSTREAM_URL'],
    // Other programs have variables with these first words, too.
    ['OTEL_EXPORTER_OTLP_ENDPONT', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    ['OTEL_TRACE_SAMPLER', 'OTEL_TRACES_SAMPLER'],
    ['HTTPS_PROXI', 'HTTPS_PROXY'],
    ['NODE_ENVV', 'NODE_ENV'],
  ])(
    'named almost like a known one is a warning with the nearest name, and not its value: %s',
    (name, nearest) => {
      expect(warningsFor(name)).toEqual([
        `${name} is not a variable of this program; the nearest is ${nearest}.`,
      ]);
    },
  );

  it('that begins with a byte order mark, as the first one in a file of Windows, is a warning that says so', () => {
    expect(warningsFor('\ufeffHOST')).toEqual([
      'HOST is not set, because a byte order mark comes before it: save the file without that.',
    ]);
  });

  it('of another program, or empty, is not a warning', () => {
    const others = [
      ...['HOME', 'PATH', 'HOSTNAME', 'TZ', 'NODE_OPTIONS', 'NODE_COMPILE_CACHE'],
      ...['http_proxy', 'https_proxy', 'no_proxy', 'FTP_PROXY', 'ftp_proxy', 'ALL_PROXY', 'host', 'port'],
      ...['OTEL_RESOURCE_ATTRIBUTES', 'NO_COLOR', 'INTRSPCTON', 'TREAM_URL', 'OURUPSTREAM_URL'],
      // What Kubernetes sets in every pod for a service named redis.
      ...['REDIS_SERVICE_HOST', 'REDIS_SERVICE_PORT', 'REDIS_SERVICE_PORT_TLS', 'REDIS_PORT'],
      ...['REDIS_PORT_6379_TCP', 'REDIS_PORT_6379_TCP_ADDR', 'REDIS_PORT_6379_TCP_PROTO'],
    ];
    expect(warningsFor(...others)).toEqual([]);
    const empty = { http_proxy: '', https_proxy: '', no_proxy: '', UPSTREAM_ULR: '' };
    expect(configWarnings(readConfig({}), empty)).toEqual([]);
  });
});
