/*
 * Redis URLs. ioredis accepts only URLs of single servers. Its maintainers have declined URLs for Sentinel and Cluster
 * (issues 557, 910 and 1519), because no standard defines them. Python clients use the form
 * `redis+sentinel://host:port,host:port/name`.
 */

interface RedisNode {
  host: string;
  port: number;
}

interface Login {
  username?: string;
  password?: string;
}

export type RedisTarget =
  | { kind: 'server'; url: string }
  | {
      kind: 'sentinel';
      nodes: RedisNode[];
      /** The name under which the sentinels monitor the primary. */
      primaryName: string;
      database: number;
      login: Login;
      sentinelLogin: Login;
      hasTls: boolean;
    }
  | { kind: 'cluster'; nodes: RedisNode[]; login: Login; hasTls: boolean };

const SEVERAL_HOSTS =
  /^redis(?<tls>s?)\+(?<topology>sentinel|cluster):\/\/(?:(?<user>[^:/?#]*)(?::(?<secret>[^/?#]*))?@)?(?<hosts>[^@/?#]+)(?<path>\/[^?#]*)?(?:\?(?<query>[^#]*))?$/;
const HOST = /^(?<host>\[[\da-f:.]+\]|[\w.-]+)(?::(?<port>\d{1,5}))?$/i;
const DEFAULT_PORTS = { sentinel: 26_379, cluster: 6379 };

/**
 * Parses the URL of one server, of sentinels or of a cluster. URLs with several hosts have the form that Python clients
 * use. The class `URL` cannot parse them, because it accepts only one host.
 *
 * @throws Error with a message that begins with `must` and repeats no part of the URL.
 */
export function parseRedisUrl(url: string): RedisTarget {
  if (/^rediss?:\/\//.test(url) && URL.canParse(url)) return { kind: 'server', url };
  const parts = SEVERAL_HOSTS.exec(url)?.groups;
  if (parts === undefined) {
    throw new Error(
      'must be a URL such as redis://host:6379, redis+sentinel://host:26379,host:26379/mymaster or redis+cluster://host:6379,host:6379',
    );
  }
  const { tls, topology, user, secret, hosts = '', path = '', query = '' } = parts;
  const kind = topology === 'cluster' ? 'cluster' : 'sentinel';
  const common = {
    nodes: hosts.split(',').map((text) => parseNode(text, DEFAULT_PORTS[kind])),
    login: toLogin(user, secret),
    hasTls: tls === 's',
  };
  if (kind === 'sentinel') {
    return { kind, ...common, ...parsePath(path), sentinelLogin: parseSentinelLogin(query) };
  }
  if (!/^\/?0?$/.test(path) || query !== '') {
    throw new Error(
      'must end after the hosts: a cluster has only one database, and takes no parameters',
    );
  }
  return { kind, ...common };
}

function parsePath(path: string): { primaryName: string; database: number } {
  const [primaryName = '', database = '0', ...rest] = path.slice(1).split('/').map(decode);
  if (primaryName === '' || !/^\d{1,4}$/.test(database) || rest.length > 0) {
    throw new Error('must end with the name of the primary, as in /mymaster or /mymaster/0');
  }
  return { primaryName, database: Number(database) };
}

export const isSingleServer = (url: string): boolean => parseRedisUrl(url).kind === 'server';

/**
 * Returns the key prefix of an installation. In a cluster, all keys of a script must be in the same slot. The prefix
 * therefore becomes a hash tag, because Redis derives the slot from the hash tag alone.
 */
export const resolveKeyPrefix = (url: string, prefix: string): string =>
  parseRedisUrl(url).kind === 'cluster' && !/\{.+\}/.test(prefix) ? `{${prefix}}` : prefix;

/** Returns the hosts of a URL without its password, for messages. */
export function describeHosts(url: string): string {
  const target = parseRedisUrl(url);
  return target.kind === 'server'
    ? new URL(url).host
    : target.nodes.map(({ host, port }) => `${host}:${port}`).join(',');
}

function parseNode(text: string, defaultPort: number): RedisNode {
  const { host, port = String(defaultPort) } = HOST.exec(text)?.groups ?? {};
  if (host === undefined || Number(port) > 65_535) {
    throw new Error('must have hosts such as redis-1:6379, separated by commas');
  }
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

function parseSentinelLogin(query: string): Login {
  const {
    sentinel_username: username,
    sentinel_password: password,
    ...others
  } = Object.fromEntries(new URLSearchParams(query));
  if (Object.keys(others).length > 0) {
    throw new Error('must have no parameters except sentinel_username and sentinel_password');
  }
  return toLogin(username, password, String);
}

const toLogin = (username = '', password = '', read = decode): Login => ({
  ...(username !== '' && { username: read(username) }),
  ...(password !== '' && { password: read(password) }),
});

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('must percent-encode special characters, such as %40 for @');
  }
}
