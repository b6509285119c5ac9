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
      /** The name that the sentinels have for the primary and its replicas. */
      primaryName: string;
      database: number;
      login: Login;
      sentinelLogin: Login;
      hasTls: boolean;
    };

const SEVERAL_HOSTS =
  /^redis(?<tls>s?)\+sentinel:\/\/(?:(?<user>[^:/?#]*)(?::(?<secret>[^/?#]*))?@)?(?<hosts>[^@/?#]+)(?<path>\/[^?#]*)?(?:\?(?<query>[^#]*))?$/;
const HOST = /^(?<host>\[[\da-f:.]+\]|[\w.-]+)(?::(?<port>\d{1,5}))?$/i;
const SENTINEL_PORT = 26_379;

/**
 * The forms with several hosts are those of redis-py's ecosystem. IORedis has options instead, and
 * `URL` accepts one host only.
 *
 * @throws Error with a message that begins with `must` and repeats no part of the URL.
 */
export function parseRedisUrl(url: string): RedisTarget {
  if (/^rediss?:\/\//.test(url) && URL.canParse(url)) return { kind: 'server', url };
  const parts = SEVERAL_HOSTS.exec(url)?.groups;
  if (parts === undefined) {
    throw new Error(
      'must be a URL such as redis://host:6379 or redis+sentinel://host:26379,host:26379/mymaster',
    );
  }
  const { tls, user, secret, hosts = '', path = '', query = '' } = parts;
  const [primaryName = '', database = '0', ...rest] = path.slice(1).split('/').map(decode);
  if (primaryName === '' || !/^\d{1,4}$/.test(database) || rest.length > 0) {
    throw new Error('must end with the name of the primary, as in /mymaster or /mymaster/0');
  }
  return {
    kind: 'sentinel',
    nodes: hosts.split(',').map((text) => parseNode(text, SENTINEL_PORT)),
    primaryName,
    database: Number(database),
    login: toLogin(user, secret),
    sentinelLogin: parseSentinelLogin(query),
    hasTls: tls === 's',
  };
}

/** The hosts of a URL, without the password. */
export function hostsOf(url: string): string {
  const target = parseRedisUrl(url);
  return target.kind === 'server'
    ? new URL(url).host
    : target.nodes.map(({ host, port }) => `${host}:${port}`).join(',');
}

function parseNode(text: string, defaultPort: number): RedisNode {
  const { host, port = String(defaultPort) } = HOST.exec(text)?.groups ?? {};
  if (host === undefined || Number(port) > 65_535) {
    throw new Error('must have hosts such as redis-1:6379, with commas between them');
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
    throw new Error('must not have a parameter, except sentinel_username and sentinel_password');
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
    throw new Error('must have special characters in the form %40');
  }
}
