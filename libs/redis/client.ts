import { lookup } from 'node:dns';
import { Cluster, Redis, SentinelConnector, type ClusterOptions, type RedisOptions } from 'ioredis';
import { parseRedisUrl, type RedisTarget } from './redis-url.js';

// A sentinel normally responds within a millisecond. If a sentinel takes longer than this, the next one is asked.
const SENTINEL_TIMEOUT_MS = 2_000;

// A failover of a cluster takes seconds, so a shorter interval would not help.
const SLOTS_REFRESH_MS = 2_000;

export type RedisClient = Redis | Cluster;

interface ClientOptions extends Pick<
  RedisOptions,
  | 'autoResendUnfulfilledCommands'
  | 'commandTimeout'
  | 'connectionName'
  | 'connectTimeout'
  | 'enableOfflineQueue'
  | 'scripts'
> {
  /** Whether a command that cannot be sent now waits indefinitely, or fails immediately. */
  whenUnavailable: 'wait' | 'fail';
  /** Connects only when the first command is sent. */
  lazyConnect?: boolean;
  /** The pause before each reconnection, in milliseconds; null to try only once. */
  reconnectMs?: number | null;
}

/** Creates the client for a Redis URL. Galley creates all its connections to Redis through this function. */
export function createRedis(url: string, options: ClientOptions): RedisClient {
  const { whenUnavailable, reconnectMs, ...others } = options;
  const target = parseRedisUrl(url);
  if (target.kind === 'cluster') {
    const cluster: Cluster = new Cluster(
      target.nodes,
      clusterOptions(target, options, (error) => {
        // BullMQ stops listening when it closes its connection, and Node.js throws an error to which nobody listens.
        if (cluster.listenerCount('error') > 0) cluster.emit('error', error);
      }),
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
    // A primary that hangs does not close its connections, so the client would keep using them. With the failover
    // detector, the client learns from the sentinels when there is a new primary.
    failoverDetector: true,
    sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
    Connector: QuietSentinelConnector,
  };
  if (sentinelLogin.username !== undefined) options.sentinelUsername = sentinelLogin.username;
  if (sentinelLogin.password !== undefined) options.sentinelPassword = sentinelLogin.password;
  if (hasTls) Object.assign(options, { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true });
  if (reconnectMs !== undefined) options.sentinelRetryStrategy = () => reconnectMs;
  // While no sentinel responds, ioredis keeps asking all sentinels within a single attempt to connect. Queued commands
  // would wait for the end of that attempt.
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
    // A node that hangs does not close its connections, so the client would keep using them. The client therefore
    // regularly asks the nodes which node has which slots.
    slotsRefreshInterval: SLOTS_REFRESH_MS,
    // While the cluster cannot be reached, commands in this queue would wait instead of failing.
    enableOfflineQueue: whenUnavailable === 'wait' && enableOfflineQueue !== false,
    redisOptions: { ...others, ...login, ...(hasTls && { tls: {} }), maxRetriesPerRequest: null },
  };
  if (reconnectMs !== undefined) options.clusterRetryStrategy = () => reconnectMs;
  // With TLS, host names are not resolved here. ioredis would otherwise connect to IP addresses, but the certificates
  // of the nodes contain host names. Without TLS, the lookup reports its own errors, because the client reports none if
  // no host can be resolved.
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
 * The failover detector has its own connections to the sentinels. This class reports their errors as the event
 * `sentinelError` of the client. Nothing else listens for these errors, so ioredis would print each of them among the
 * log lines. An unreachable sentinel does no harm while another one can be reached.
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
