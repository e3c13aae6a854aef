/** What the program does with arguments instead of starting a gateway. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { readConfig } from '../../src/config/config.ts';
import { printedVariables } from '../../src/config/printed-configuration.ts';
import { parseRedisAddress, type RedisAddress } from '../../src/config/redis-address.ts';
import { redisProblem } from '../../src/state/redis-check.ts';
import { forTest, redisForFile, temporaryFile, temporaryFolder } from '../support/lifetimes.ts';
import { killProcesses, outputOf, runMain } from '../support/process.ts';
import { hasRedis } from '../support/redis.ts';

afterEach(killProcesses);

const secret = 'a-lane-secret-of-forty-characters-and-so';

const redis = await redisForFile('--requirepass', 'redis-password');

describe('an argument', () => {
  it('--version prints the version and ends the process', async () => {
    expect(await outputOf(runMain({}, '--version'))).toEqual({ code: 0, text: `${packageJson.version}\n` });
  });

  it.each([[['--check', '--version']], [['']]])(
    'that is unknown, or a second one, ends with 64, the known ones and no table of variables: %j',
    async (parameters) => {
      const { code, text } = await outputOf(runMain({}, ...parameters));
      expect(code).toBe(64);
      expect(text).toContain(
        `Unknown arguments: ${parameters.join(' ')}. Settings are environment variables`,
      );
      expect(text).toMatch(/^Usage: /m);
      for (const known of ['--check', '--print-config', '--version', '--help']) expect(text).toContain(known);
      expect(text).not.toMatch(/listening|MAX_XML_BYTES/);
    },
  );
});

it.each(['--check', '--print-config'])(
  '%s ends with 78 and all problems of the variables',
  async (argument) => {
    const environment = { NODE_ENV: 'production', PORT: 'x', LANE_SECRET: 'short-secret' };
    const { code, text } = await outputOf(runMain(environment, argument));
    expect(code).toBe(78);
    for (const name of ['PORT', 'UPSTREAM_URL', 'LANE_SECRET']) expect(text).toContain(`\n  ${name} must `);
    expect(text).not.toContain('short-secret');
  },
);

describe('--check', () => {
  it('ends with 0 for a configuration that can be used, and prints its warnings', async () => {
    const { code, text } = await outputOf(
      runMain({ NODE_ENV: 'production', UPSTREAM_URL: 'sandbox', LOG_LEVLE: 'x' }, '--check'),
    );
    expect(code).toBe(0);
    expect(text).toContain('The configuration can be used.');
    expect(text).toMatch(/^warning: LOG_LEVLE .* LOG_LEVEL/m);
    expect(text).toMatch(/^warning: UPSTREAM_URL is sandbox in production/m);
    expect(text).not.toContain('listening');
  });

  it('ends with 78 when a manifest cannot be used', async () => {
    const file = temporaryFile('no JSON');
    const { code, text } = await outputOf(runMain({ PERSISTED_OPERATIONS: file }, '--check'));
    expect(code).toBe(78);
    expect(text).toContain(file);
  });
});

it('--check waits for nobody who writes to a named pipe', async () => {
  const pipe = join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const secretProblem = await outputOf(runMain({ LANE_SECRET_FILE: pipe }, '--check'));
  expect(secretProblem).toMatchObject({
    code: 78,
    text: expect.stringContaining('LANE_SECRET_FILE must be'),
  });
  const manifestProblem = await outputOf(runMain({ PERSISTED_OPERATIONS: pipe }, '--check'));
  expect(manifestProblem).toMatchObject({ code: 78, text: expect.stringContaining('it is not JSON') });
});

describe('--check of Redis', () => {
  const checkFile = (url: string, settings: Record<string, string> = {}) => {
    const files = { LANE_SECRET_FILE: temporaryFile(secret), REDIS_URL_FILE: temporaryFile(url) };
    return outputOf(runMain({ ...files, ...settings }, '--check'));
  };

  it('ends with 78 when nothing listens at the address in a file, without its password', async () => {
    const text = 'REDIS_URL: Redis cannot be used: it cannot be reached (ECONNREFUSED).\n';
    expect(await checkFile('redis://:redis-password@127.0.0.1:9')).toEqual({ code: 78, text });
  });

  describe.skipIf(!hasRedis())('with a password', () => {
    const urlOf = (user: string) => redis.url.replace('//', `//${user}`);
    const problemOf = (user: string) => redisProblem(parseRedisAddress(urlOf(user)) as RedisAddress, 0);

    it('ends with 78 when it has fewer replicas than keyed writes need', async () => {
      const text =
        'REDIS_URL: Redis cannot be used: 0 of its replicas acknowledge a write, and REDIS_REPLICAS is 1.\n';
      const settings = { REDIS_REPLICAS: '1' };
      expect(await checkFile(urlOf(':redis-password@'), settings)).toEqual({ code: 78, text });
    });

    it.each([
      [':another-password@', 'WRONGPASS'],
      ['', 'NOAUTH'],
    ])('says with Redis’s word that it refuses the credentials: %s', async (user, word) => {
      expect(await problemOf(user)).toBe(`it replied ${word}`);
    });

    it('says that it accepts the connection and does not reply', async () => {
      redis.freeze();
      forTest({ close: redis.thaw });
      expect(await problemOf(':redis-password@')).toBe('it does not reply in time');
    });
  });
});

describe('--print-config', () => {
  it('prints the value of every variable, secrets masked, as an .env file that can be read', async () => {
    const environment = {
      LOG_LEVEL: 'debug',
      LANE_SECRET: secret,
      REDIS_URL: 'rediss://folio:redis-password@redis.example:6380/2',
    };
    const { code, text } = await outputOf(runMain(environment, '--print-config'));
    expect(code).toBe(0);
    for (const hidden of [secret, 'redis-password', 'folio:']) expect(text).not.toContain(hidden);
    expect(parseEnv(text)).toMatchObject({
      PORT: '4000',
      LOG_LEVEL: 'debug',
      LANE_SECRET: '[masked]',
      REDIS_URL: 'rediss://[masked]@redis.example:6380/2',
    });
    expect(text).toContain('# UPSTREAM_URL is not set: the embedded sandbox');
  });

  it('does not print that a variable is unset whose value is in a file', () => {
    const printed = printedVariables({ LANE_SECRET_FILE: '/run/secret' });
    expect(printed).toContain('# LANE_SECRET is read from the file of LANE_SECRET_FILE\n');
    expect(parseEnv(printed)).toMatchObject({ LANE_SECRET_FILE: '/run/secret' });
  });

  it.each([
    ['REDIS_URL', 'redis://:pass@redis.example', 'redis://[masked]@redis.example'],
    ['REDIS_URL', 'redis://:pa@ss@redis.example', '[masked]'],
    ['REDIS_URL', 'redis://:pa?ss@redis.example', '[masked]'],
    ['REDIS_URL', 'redis://redis.example?password=pass', 'redis://redis.example?[masked]'],
    [
      'REDIS_URL',
      'rediss+sentinel://u:pass@one:1,two:2/main/0?sentinelPassword=pass',
      'rediss+sentinel://[masked]@one:1,two:2/main/0?[masked]',
    ],
    ['REDIS_URL', 'redis+cluster://one:1,two:2', 'redis+cluster://one:1,two:2'],
    ['https_proxy', 'http://me:pass@proxy.example', 'http://[masked]@proxy.example'],
    ['PERSISTED_OPERATIONS', 'folio-ios@2.3.1.json, web@4.json', 'folio-ios@2.3.1.json, web@4.json'],
  ])('masks user info and query of an address and nothing else: %s %s', (name, value, printed) => {
    expect(printedVariables({ [name]: value })).toContain(`${name.toUpperCase()}=${printed}\n`);
  });

  it('prints the defaults as values that mean the same', () => {
    const printed = parseEnv(printedVariables({}));
    expect(readConfig(printed)).toEqual(readConfig({}));
  });
});
