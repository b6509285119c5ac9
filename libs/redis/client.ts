import { lookup } from 'node:dns';
import { Cluster, Redis, SentinelConnector, type ClusterOptions, type RedisOptions } from 'ioredis';
import { parseRedisUrl, type RedisTarget } from './redis-url.js';

// A sentinel normally responds within a millisecond. The next one is asked after this time.
const SENTINEL_TIMEOUT_MS = 2_000;

// A cluster takes seconds for a failover, so a shorter time would not help.
const SLOTS_REFRESH_MS = 2_000;

export type RedisClient = Redis | Cluster;

export interface ClientOptions extends Pick<
  RedisOptions,
  | 'autoResendUnfulfilledCommands'
  | 'commandTimeout'
  | 'connectionName'
  | 'connectTimeout'
  | 'enableOfflineQueue'
  | 'scripts'
> {
  /**
   * A command that cannot be sent now waits for as long as it takes, or fails at once.
   */
  whenUnavailable: 'wait' | 'fail';
  /** Connects with the first command. */
  lazyConnect?: boolean;
  /** The pause before each new connection, in milliseconds; null to try only once. */
  reconnectMs?: number | null;
}

/** The client for the Redis of a URL. All connections of Galley to Redis are made here. */
export function createRedis(url: string, options: ClientOptions): RedisClient {
  const { whenUnavailable, reconnectMs, ...others } = options;
  const target = parseRedisUrl(url);
  if (target.kind === 'cluster') {
    const cluster: Cluster = new Cluster(
      target.nodes,
      clusterOptions(target, options, (error) => cluster.emit('error', error)),
    );
    return cluster;
  }
  const common: RedisOptions = { ...others };
  if (reconnectMs !== undefined) common.retryStrategy = () => reconnectMs;
  common.maxRetriesPerRequest = whenUnavailable === 'fail' ? 0 : null;
  return target.kind === 'server'
    ? new Redis(target.url, common)
    : new Redis({ ...common, ...sentinelOptions(target, options) });
}

function sentinelOptions(
  target: Extract<RedisTarget, { kind: 'sentinel' }>,
  { whenUnavailable, reconnectMs }: ClientOptions,
): RedisOptions {
  const { nodes, primaryName, database, login, sentinelLogin, hasTls } = target;
  const options: RedisOptions = {
    sentinels: nodes,
    name: primaryName,
    db: database,
    ...login,
    // A primary that falls silent closes no connection. The sentinels say that there is another one.
    failoverDetector: true,
    sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
    Connector: QuietSentinelConnector,
  };
  if (sentinelLogin.username !== undefined) options.sentinelUsername = sentinelLogin.username;
  if (sentinelLogin.password !== undefined) options.sentinelPassword = sentinelLogin.password;
  if (hasTls) Object.assign(options, { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true });
  if (reconnectMs !== undefined) options.sentinelRetryStrategy = () => reconnectMs;
  // While no sentinel responds, ioredis goes on to ask them within one try to connect, and commands would wait
  // for the end of that try.
  if (whenUnavailable === 'fail') options.enableOfflineQueue = false;
  return options;
}

function clusterOptions(
  { login, hasTls }: Extract<RedisTarget, { kind: 'cluster' }>,
  {
    whenUnavailable,
    reconnectMs,
    lazyConnect,
    scripts,
    enableOfflineQueue,
    ...others
  }: ClientOptions,
  reportError: (error: Error) => void,
): ClusterOptions {
  const options: ClusterOptions = {
    lazyConnect,
    scripts,
    // A node that falls silent closes no connection. The other nodes say that it has lost its slots.
    slotsRefreshInterval: SLOTS_REFRESH_MS,
    // While the cluster cannot be reached, commands in this queue would wait.
    enableOfflineQueue: whenUnavailable === 'wait' && enableOfflineQueue !== false,
    redisOptions: { ...others, ...login, ...(hasTls && { tls: {} }), maxRetriesPerRequest: null },
  };
  if (reconnectMs !== undefined) options.clusterRetryStrategy = () => reconnectMs;
  // The certificates of nodes have names, and ioredis would connect to the IP addresses of the first nodes.
  // The client itself reports no error if none of the hosts is known.
  options.dnsLookup = hasTls
    ? (host, callback) => callback(null, host)
    : (host, callback) =>
        lookup(host, (error, address) => {
          if (error) reportError(error);
          callback(error, address);
        });
  return options;
}

/**
 * The detector of failovers keeps connections to the sentinels, and nothing listens for their errors: ioredis
 * would print each error itself, between the lines of the log. A sentinel that cannot be reached does no harm
 * while another one can. The client has the error as its event `sentinelError`.
 */
class QuietSentinelConnector extends SentinelConnector {
  private report: ErrorReport | undefined;

  constructor(options: unknown) {
    super(options as SentinelConnectionOptions);
    const connect = (this['connectToSentinel'] as Connect).bind(this);
    this['connectToSentinel'] = (...parameters: unknown[]) =>
      connect(...parameters).on('error', (error) => this.report?.('sentinelError', error));
  }

  override connect(report: ErrorReport) {
    this.report = report;
    return super.connect(report);
  }
}

type ErrorReport = Parameters<SentinelConnector['connect']>[0];
type Connect = (...parameters: unknown[]) => Redis;
type SentinelConnectionOptions = ConstructorParameters<typeof SentinelConnector>[0];
