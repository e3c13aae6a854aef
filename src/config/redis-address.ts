/** What REDIS_URL can address: one server, the primary that sentinels name, or a cluster. */

export type RedisAddress = NonNullable<ReturnType<typeof parseRedisAddress>>;

const form =
  /^redis(?<tls>s?)\+(?<kind>sentinel|cluster):\/\/(?:(?<user>[^\s/@:]*)(?::(?<password>[^\s/@]*))?@)?(?<hosts>[^\s/?@]+)(?:\/(?<name>[^\s/?]*))?(?:\/(?<db>\d+))?(?:\?(?<query>\S*))?$/;

const defaultPorts = { sentinel: 26_379, cluster: 6_379 };

/**
 * Reads the value of REDIS_URL; undefined if it has none of these forms: `redis://` or `rediss://` for one server,
 * `redis+sentinel://[user:password@]host[:26379],…/name[/db][?sentinelUsername=…&sentinelPassword=…]`, and
 * `redis+cluster://[user:password@]host[:6379],…`; `rediss+…` is TLS to all of them. User, password and name are
 * percent-encoded.
 */
export function parseRedisAddress(url: string) {
  if (/^rediss?:\/\/[^\s/?#]+(?:\/\d*)?(?:\?\S*)?$/.test(url)) {
    return URL.canParse(url) && isUserEncoded(new URL(url)) ? ({ kind: 'server', url } as const) : undefined;
  }
  const parts = form.exec(url)?.groups;
  if (!parts) return undefined;
  try {
    return addressOf(parts);
  } catch {
    // A part is not percent-encoded.
    return undefined;
  }
}

/** Whether user and password are percent-encoded: where a library decodes them, it throws. */
export function isUserEncoded({ username, password }: URL): boolean {
  try {
    for (const part of [username, password]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

function addressOf(parts: Readonly<Record<string, string | undefined>>) {
  const kind = parts['kind'] === 'sentinel' ? 'sentinel' : 'cluster';
  const hosts = (parts['hosts'] as string).split(',').map((text) => hostAndPort(text, defaultPorts[kind]));
  if (!hosts.every((host) => host !== undefined)) return undefined;
  const common = {
    hosts,
    isTls: parts['tls'] === 's',
    username: decoded(parts['user']),
    password: decoded(parts['password']),
  };
  const name = decoded(parts['name']);
  const query = new URLSearchParams(parts['query'] ?? '');
  if (kind === 'cluster') {
    // A cluster has only the database 0.
    const isPlain = name === undefined && parts['db'] === undefined && query.size === 0;
    return isPlain ? ({ kind, ...common } as const) : undefined;
  }
  const known = ['sentinelUsername', 'sentinelPassword'];
  if (name === undefined || ![...query.keys()].every((key) => known.includes(key))) return undefined;
  return {
    kind,
    ...common,
    /** Under which the sentinels know the primary. */
    name,
    db: Number(parts['db'] ?? 0),
    sentinelUsername: query.get('sentinelUsername') ?? undefined,
    sentinelPassword: query.get('sentinelPassword') ?? undefined,
  } as const;
}

function decoded(text: string | undefined): string | undefined {
  return text ? decodeURIComponent(text) : undefined;
}

/** `host`, `host:port`, `[address]` or `[address]:port`. */
function hostAndPort(text: string, defaultPort: number) {
  const [, address, name, port] = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const host = address ?? name;
  const number = port === undefined ? defaultPort : Number(port);
  return host === undefined || number > 65_535 ? undefined : { host, port: number };
}
