import { describe, expect, it } from 'vitest';
import { parseRedisAddress } from '../../src/config/redis-address.ts';

const host = (host: string, port: number) => ({ host, port });

describe('REDIS_URL', () => {
  it.each<[string, object]>([
    ...['redis://localhost', 'rediss://user:pass@redis.example:6380/2', 'redis://localhost/?family=6'].map(
      (url): [string, object] => [url, { kind: 'server', url }],
    ),
    [
      'redis+sentinel://one:26380,two/mymaster',
      {
        ...{ kind: 'sentinel', isTls: false, name: 'mymaster', db: 0 },
        hosts: [host('one', 26_380), host('two', 26_379)],
      },
    ],
    [
      'rediss+sentinel://u:p%40ss%2F@[::1]:26379/my%20master/3?sentinelUsername=s&sentinelPassword=t%26',
      {
        ...{ kind: 'sentinel', isTls: true, name: 'my master', db: 3, hosts: [host('::1', 26_379)] },
        ...{ username: 'u', password: 'p@ss/', sentinelUsername: 's', sentinelPassword: 't&' },
      },
    ],
    [
      'redis+cluster://:secret@10.0.0.1:7000,10.0.0.2:65535,redis-3.example',
      {
        kind: 'cluster',
        hosts: [host('10.0.0.1', 7_000), host('10.0.0.2', 65_535), host('redis-3.example', 6_379)],
        isTls: false,
        password: 'secret',
      },
    ],
    [
      'rediss+cluster://clustercfg.example:6379/',
      { kind: 'cluster', hosts: [host('clustercfg.example', 6_379)], isTls: true },
    ],
  ])('may be %s', (url, address) => {
    expect(parseRedisAddress(url)).toEqual(address);
  });

  it.each([
    ...['', 'http://localhost', 'redis+other://one/mymaster', 'redis+cluster://one/0'],
    ...['redis+cluster://one//0', 'redis+cluster://one?db=0', 'redis+cluster://'],
    ...['', ':65536/mymaster', ',,two/mymaster', '/mymaster?password=x'].map(
      (rest) => `redis+sentinel://one${rest}`,
    ),
    'redis+sentinel://u:%zz@one/mymaster',
    ...['/name', '/1/2', '/-1', '/1x'].map((database) => `redis://localhost:6379${database}`),
    ...[':50%off@localhost', '50%off:@localhost', 'localhost:99999', 'localhost:none', '[::1:6379'].map(
      (server) => `redis://${server}`,
    ),
  ])('may not be "%s"', (url) => {
    expect(parseRedisAddress(url)).toBeUndefined();
  });
});
