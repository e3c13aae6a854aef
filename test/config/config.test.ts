import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigurationError, configTable, readConfig } from '../../src/config/config.ts';
import { memoryBudgets } from '../../src/config/memory-budgets.ts';
import { usage } from '../../src/config/printed.ts';
import { configWarnings } from '../../src/config/warnings.ts';

describe('readConfig', () => {
  it('returns a complete configuration for an empty environment: development with the sandbox', () => {
    expect(readConfig({})).toEqual({
      production: false,
      listen: { host: '127.0.0.1', port: 4000 },
      upstream: {
        target: { kind: 'sandbox', reason: 'UPSTREAM_URL is not set', speed: 1 },
        readDeadlineMs: 10_000,
        writeDeadlineMs: 30_000,
        scanDeadlineMs: 120_000,
        maxResponseBytes: 32 * 1024 * 1024,
        connections: 128,
        concurrencyPerCaller: 10,
      },
      limits: {
        maxUploadBytes: 100 * 1024 * 1024,
        maxXmlBytes: 1024 * 1024,
        maxRequestBytes: 4 * 1024 * 1024,
        maxSockets: 20_000,
        maxSubscriptionsPerSocket: 200,
        maxWatchesPerCaller: 10_000,
        maxOperationCost: 200,
        rateLimitPerMinute: 0,
      },
      memory: memoryBudgets(),
      corsOrigins: [],
      malaysia: { pollMinMs: 2_000, pollMaxMs: 30_000, pollBudgetPerSecond: 200, watchMaxMs: 3_600_000 },
      redisUrl: undefined,
      redisReplicas: 0,
      laneSecret: undefined,
      secretFiles: { laneSecret: undefined, redisUrl: undefined },
      persistedOperations: { files: [], textPolicy: 'run', reloadMs: 5_000 },
      metricsPort: undefined,
      tracing: undefined,
      idempotencyTtlMs: 86_400_000,
      graphiql: true,
      introspection: true,
      exposesCalls: true,
      shutdownDelayMs: 0,
      shutdownGraceMs: 35_000,
      logLevel: 'info',
      assumptions: {
        handwrittenFormat: '[{value}]',
        fapiaoNameEncoding: 'percent',
        malaysiaStatus: { statePath: undefined, reasonPath: undefined, words: [] },
      },
    });
  });

  it('treats an empty variable as unset', () => {
    const empty = Object.fromEntries(configTable.map(({ name }) => [name, '']));
    expect(readConfig(empty)).toEqual(readConfig({}));
  });

  it('ignores unknown variables', () => {
    expect(readConfig({ HOME: '/', UPSTREAM: 'x' })).toEqual(readConfig({}));
  });

  it('reports all problems together, in the order of the table', () => {
    const env = { PORT: '65536', LOG_LEVEL: 'loud', GRAPHIQL: 'maybe', UPSTREAM_URL: 'ftp://files' };
    expect(problemsOf(env)).toEqual([
      { variable: 'PORT', message: 'must be a whole number from 0 to 65535' },
      {
        variable: 'UPSTREAM_URL',
        message: 'must be an http or https address without user info, query or fragment, or the word sandbox',
      },
      { variable: 'GRAPHIQL', message: 'must be true or false' },
      {
        variable: 'LOG_LEVEL',
        message: 'must be one of trace, debug, info, warn, error, fatal, silent',
      },
    ]);
  });

  it('lists every problem in the message of its error', () => {
    const error = errorOf({ PORT: '-1', SANDBOX_SPEED: '0' });
    expect(error?.message).toBe(
      'The configuration cannot be used:\n' +
        '  PORT must be a whole number from 0 to 65535\n' +
        '  SANDBOX_SPEED must be a number from 0.01 to 10000',
    );
  });

  it('never quotes a refused value', () => {
    const planted = 'planted-4711';
    const env = Object.fromEntries(configTable.map(({ name }) => [name, `${planted} é`]));
    const error = errorOf(env);
    expect(error?.problems.length).toBeGreaterThan(25);
    expect(JSON.stringify([error, error?.message])).not.toContain(planted);
  });
});

describe('NODE_ENV=production', () => {
  const service = { NODE_ENV: 'production', UPSTREAM_URL: 'https://service.example' };

  it('turns GraphiQL and introspection off', () => {
    expect(readConfig(service)).toMatchObject({ production: true, graphiql: false, introspection: false });
  });

  it('keeps GraphiQL and introspection on when their variables are true', () => {
    const asked = { ...service, GRAPHIQL: 'true', INTROSPECTION: 'yes' };
    expect(readConfig(asked)).toMatchObject({ graphiql: true, introspection: true });
  });

  it('requires UPSTREAM_URL, which may be the word sandbox', () => {
    expect(problemsOf({ NODE_ENV: 'production', UPSTREAM_URL: '' })).toEqual([
      {
        variable: 'UPSTREAM_URL',
        message: 'must be set in production, to the address of the service or to sandbox',
      },
    ]);
    expect(readConfig({ NODE_ENV: 'production', UPSTREAM_URL: 'sandbox' }).upstream.target).toMatchObject({
      kind: 'sandbox',
      reason: 'UPSTREAM_URL is sandbox',
    });
  });

  it.each(['development', 'test'])('is not assumed for NODE_ENV=%s', (NODE_ENV) => {
    expect(readConfig({ NODE_ENV }).production).toBe(false);
  });

  it.each(['Production', 'PRODUCTION', 'prod', 'production ', 'staging', 'dev'])(
    'is not missed because of another spelling: NODE_ENV=%j is rejected',
    (NODE_ENV) => {
      expect(problemsOf({ NODE_ENV })).toEqual([
        { variable: 'NODE_ENV', message: 'must be one of production, development, test' },
      ]);
    },
  );
});

describe('UPSTREAM_URL', () => {
  it.each([
    ['https://service.example', 'https://service.example/'],
    ['http://localhost:8080', 'http://localhost:8080/'],
    ['https://service.example/api/v1', 'https://service.example/api/v1/'],
    ['https://service.example/api/', 'https://service.example/api/'],
    ['http://[::1]:8080', 'http://[::1]:8080/'],
  ])('accepts %s as the base address %s', (UPSTREAM_URL, href) => {
    expect(readConfig({ UPSTREAM_URL }).upstream.target).toEqual({ kind: 'remote', baseUrl: new URL(href) });
  });

  it.each([
    'service.example',
    'SANDBOX',
    'file:///etc/passwd',
    'https://',
    'https:service.example',
    'https://user:secret@service.example',
    'https://user@service.example',
    'https://service.example?tenant=1',
    'https://service.example/?',
    'https://service.example/#top',
    'https://service.example\\api',
    'https://service.example/a b',
    'https://service.example:99999',
  ])('rejects %j', (UPSTREAM_URL) => {
    expect(problemsOf({ UPSTREAM_URL })).toMatchObject([{ variable: 'UPSTREAM_URL' }]);
  });
});

describe('CORS_ORIGINS', () => {
  it.each([
    ['https://app.example', ['https://app.example']],
    ['https://App.Example:443, http://localhost:3000', ['https://app.example', 'http://localhost:3000']],
    ['capacitor://localhost', ['capacitor://localhost']],
    ['*', ['*']],
  ])('reads %j as the origins %j', (CORS_ORIGINS, corsOrigins) => {
    expect(readConfig({ CORS_ORIGINS }).corsOrigins).toEqual(corsOrigins);
  });

  it.each([
    'app.example',
    'https://app.example/',
    'https://app.example/path',
    'https://*.app.example',
    'https://user@app.example',
    'null',
    '*,https://app.example',
    'https://app.example,,https://b.example',
  ])('rejects %j', (CORS_ORIGINS) => {
    expect(problemsOf({ CORS_ORIGINS })).toMatchObject([{ variable: 'CORS_ORIGINS' }]);
  });
});

describe('a numeric variable', () => {
  it.each(['1e3', '0x10', '1.5', '-1', '+1', ' 1', '1_000', '1000ms', '０', 'Infinity', '9'.repeat(40)])(
    'rejects %j',
    (PORT) => expect(problemsOf({ PORT })).toMatchObject([{ variable: 'PORT' }]),
  );

  it('rejects 0 milliseconds, except for SHUTDOWN_DELAY_MS', () => {
    const durations = configTable
      .map(({ name }) => name)
      .filter((name) => name.endsWith('_MS') && name !== 'SHUTDOWN_DELAY_MS');
    expect(durations).toHaveLength(7);
    for (const name of durations) expect(problemsOf({ [name]: '0' })[0]).toMatchObject({ variable: name });
  });

  it('rejects more milliseconds than a timer of Node.js can wait (24 days)', () => {
    const durations = configTable.map(({ name }) => name).filter((name) => name.endsWith('_MS'));
    for (const name of durations) {
      expect(problemsOf({ [name]: String(2 ** 31) })[0]).toMatchObject({ variable: name });
    }
  });

  it('accepts a fraction for SANDBOX_SPEED', () => {
    expect(readConfig({ SANDBOX_SPEED: '0.5' }).upstream.target).toMatchObject({ speed: 0.5 });
  });
});

describe('readConfig', () => {
  it.each([
    ['x'.repeat(32), true],
    ['é'.repeat(16), true],
    ['x'.repeat(31), false],
  ])('requires 32 bytes, not characters, for LANE_SECRET: %s', (LANE_SECRET, accepted) => {
    expect(problemsOf({ LANE_SECRET })).toHaveLength(accepted ? 0 : 1);
  });

  it.each([
    ['{value}', true],
    ['"{value}"', true],
    ['[value]', false],
    ['«{value}»', false],
    ['{value}\r\n', false],
  ])('requires printable ASCII with {value} for HANDWRITTEN_FORMAT: %j', (HANDWRITTEN_FORMAT, accepted) => {
    expect(problemsOf({ HANDWRITTEN_FORMAT })).toHaveLength(accepted ? 0 : 1);
  });

  it.each(['0.0.0.0', '::1', 'gateway.local', 'fe80::1%eth0'])('accepts %s for HOST', (HOST) => {
    expect(readConfig({ HOST }).listen.host).toBe(HOST);
  });

  it('takes one or two LANE_SECRETs, each of 32 bytes or more', () => {
    const [one, two] = ['a'.repeat(32), 'b'.repeat(32)];
    const secretOf = (LANE_SECRET: string) => readConfig({ LANE_SECRET }).laneSecret;
    expect(secretOf(`${one},${two}`)).toEqual({ current: one, former: two });
    // Commas of a single secret.
    for (const LANE_SECRET of [
      one,
      `${one},short`,
      `${one},${two},${one}`,
      'a secret, of 32 bytes, or more than 32',
    ])
      expect(secretOf(LANE_SECRET)).toEqual({ current: LANE_SECRET, former: undefined });
    expect(problemsOf({ LANE_SECRET: 'short,shorter' })).toHaveLength(1);
  });

  it('reads LANE_SECRET and REDIS_URL from files, without the line break at their end', () => {
    const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
    const [LANE_SECRET_FILE, REDIS_URL_FILE] = [join(folder, 'secret'), join(folder, 'url')];
    writeFileSync(LANE_SECRET_FILE, `${'a'.repeat(32)}\n`);
    writeFileSync(REDIS_URL_FILE, 'redis://127.0.0.1\n');
    expect(readConfig({ LANE_SECRET_FILE, REDIS_URL_FILE })).toMatchObject({
      laneSecret: { current: 'a'.repeat(32), former: undefined },
      redisUrl: 'redis://127.0.0.1',
    });
    expect(problemsOf({ LANE_SECRET_FILE, LANE_SECRET: 'b'.repeat(32) })).toEqual([
      { variable: 'LANE_SECRET_FILE', message: 'must not be set together with LANE_SECRET' },
    ]);
    expect(problemsOf({ LANE_SECRET_FILE: join(folder, 'none') })).toEqual([
      { variable: 'LANE_SECRET_FILE', message: 'must be the path of a file that can be read' },
    ]);
    writeFileSync(LANE_SECRET_FILE, 'short');
    expect(problemsOf({ LANE_SECRET_FILE })).toMatchObject([{ variable: 'LANE_SECRET' }]);
  });

  it('rejects a REDIS_REPLICAS above 0 without REDIS_URL', () => {
    expect(problemsOf({ REDIS_REPLICAS: '1' })).toEqual([
      { variable: 'REDIS_REPLICAS', message: 'must be 0 without REDIS_URL' },
    ]);
    expect(problemsOf({ REDIS_REPLICAS: '0' })).toEqual([]);
    const shared = { REDIS_URL: 'redis://127.0.0.1', LANE_SECRET: 'x'.repeat(32) };
    expect(problemsOf({ REDIS_REPLICAS: '1', ...shared })).toEqual([]);
  });

  it('rejects a MALAYSIA_POLL_MAX_MS below MALAYSIA_POLL_MIN_MS', () => {
    expect(problemsOf({ MALAYSIA_POLL_MIN_MS: '500', MALAYSIA_POLL_MAX_MS: '499' })).toEqual([
      { variable: 'MALAYSIA_POLL_MAX_MS', message: 'must not be below MALAYSIA_POLL_MIN_MS' },
    ]);
    expect(problemsOf({ MALAYSIA_POLL_MIN_MS: '500', MALAYSIA_POLL_MAX_MS: '500' })).toEqual([]);
  });
});

describe('configWarnings', () => {
  it('is empty for an empty environment', () => {
    expect(configWarnings(readConfig({}))).toEqual([]);
  });

  it.each([
    [
      'a shutdown that ends writes',
      { SHUTDOWN_GRACE_MS: '30000' },
      /^SHUTDOWN_GRACE_MS is not longer than UPSTREAM_WRITE_DEADLINE_MS:/,
    ],
    [
      'a shutdown in production that ends scans',
      { NODE_ENV: 'production', UPSTREAM_URL: 'https://service.example' },
      /^SHUTDOWN_GRACE_MS is not longer than UPSTREAM_SCAN_DEADLINE_MS:/,
    ],
    [
      'idempotency keys that expire before their write ends',
      { IDEMPOTENCY_TTL_MS: '120000' },
      /^IDEMPOTENCY_TTL_MS /,
    ],
    [
      'the sandbox in production',
      { NODE_ENV: 'production', UPSTREAM_URL: 'sandbox', SHUTDOWN_GRACE_MS: '130000' },
      /invented data/,
    ],
    ['credentials sent unencrypted', { UPSTREAM_URL: 'http://service.example' }, /unencrypted/],
  ])('warns about %s', (_what, env, warning) => {
    expect(configWarnings(readConfig(env))).toEqual([expect.stringMatching(warning)]);
  });

  it.each(['https://service.example', 'http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:80'])(
    'does not warn about a service at %s',
    (UPSTREAM_URL) => expect(configWarnings(readConfig({ UPSTREAM_URL }))).toEqual([]),
  );
});

describe('an unknown variable', () => {
  const warningsFor = (...names: string[]) => {
    const env = Object.fromEntries(names.map((name) => [name, 'planted-4711']));
    return configWarnings(readConfig(env), env);
  };

  it.each([
    ['UPSTREAM_ULR', 'UPSTREAM_URL'],
    ['UPSTREAM', 'UPSTREAM_URL'],
    ['MAX_UPLOAD_BYTE', 'MAX_UPLOAD_BYTES'],
    ['MALAYSIA_POLL_MINIMUM_MS', 'MALAYSIA_POLL_MIN_MS'],
    ['REDIS_URI', 'REDIS_URL'],
    ['IDEMPOTENCY_TTL', 'IDEMPOTENCY_TTL_MS'],
    ['RATE_LIMIT', 'RATE_LIMIT_PER_MINUTE'],
    ['GRAPHIQ', 'GRAPHIQL'],
    ['INTROSPECTON', 'INTROSPECTION'],
    ['upstream_url', 'UPSTREAM_URL'],
  ])('named almost like a known one is a warning with the nearest name: %s', (name, nearest) => {
    expect(warningsFor(name)).toEqual([
      `${name} is not a variable of this program; the nearest is ${nearest}.`,
    ]);
  });

  it('of another program is not a warning', () => {
    const others = [
      ...['HOME', 'PATH', 'HOSTNAME', 'TZ', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'NODE_COMPILE_CACHE'],
      ...['OTEL_RESOURCE_ATTRIBUTES', 'NO_COLOR', 'http_proxy', 'https_proxy', 'no_proxy'],
      // What Kubernetes sets in every pod for a service named redis.
      ...['REDIS_SERVICE_HOST', 'REDIS_SERVICE_PORT', 'REDIS_SERVICE_PORT_TLS', 'REDIS_PORT'],
      ...['REDIS_PORT_6379_TCP', 'REDIS_PORT_6379_TCP_ADDR', 'REDIS_PORT_6379_TCP_PROTO'],
    ];
    const env = Object.fromEntries(others.map((name) => [name, name.endsWith('_proxy') ? '' : 'x']));
    expect(configWarnings(readConfig(env), env)).toEqual([]);
  });

  it('is not a warning when it is empty', () => {
    expect(configWarnings(readConfig({}), { UPSTREAM_ULR: '' })).toEqual([]);
  });

  it('is never quoted with its value', () => {
    expect(JSON.stringify(warningsFor('LANE_SECRETS', 'REDIS_URLS'))).not.toContain('planted');
  });
});

describe('INTROSPECTION', () => {
  it.each([
    [{}, true],
    [{ GRAPHIQL: 'false' }, false],
    [{ GRAPHIQL: 'false', INTROSPECTION: 'true' }, true],
    [{ GRAPHIQL: 'true', INTROSPECTION: 'false' }, false],
    [{ NODE_ENV: 'production', UPSTREAM_URL: 'sandbox', GRAPHIQL: 'true' }, true],
  ])('follows GRAPHIQL unless it is set: %j', (env, introspection) => {
    expect(readConfig(env as Record<string, string>).introspection).toBe(introspection);
  });
});

describe('docs/configuration.md', () => {
  it('has a row for every variable, with its default and meaning', () => {
    const rows = readFileSync('docs/configuration.md', 'utf8').split('\n');
    for (const { name, default: byDefault, description } of configTable) {
      expect(rows).toContain(`| \`${name}\` | ${byDefault} | ${description} |`);
    }
  });
});

describe('--help', () => {
  it('prints a line for every variable with its default, meaning and bounds', () => {
    const lines = usage().split('\n');
    for (const { name } of configTable)
      expect(lines.filter((line) => line.startsWith(`${name} `))).toHaveLength(1);
    expect(lines.find((line) => line.startsWith('PORT '))).toMatch(
      /^PORT +4000 +Port to listen on.* \(a whole number from 0 to 65535\)$/,
    );
  });
});

function errorOf(env: Record<string, string>): ConfigurationError | undefined {
  try {
    readConfig(env);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
}

function problemsOf(env: Record<string, string>) {
  return errorOf(env)?.problems ?? [];
}
