/*
 * The connections to Redis. A URL stands for one server, for the sentinels that know the primary, or for a cluster. The
 * libs that send commands decide what the commands are for.
 */
export { createRedis, type RedisClient } from './client.js';
export { describeHosts, isSingleServer, resolveKeyPrefix, parseRedisUrl } from './redis-url.js';
export { adviceFor, explainRedisError, isRefusedLogin } from './redis-error.js';
