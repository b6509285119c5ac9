/*
 * The connections to Redis. A URL describes one server, the sentinels of a primary, or a cluster. This lib only
 * connects; other libs send the commands.
 */
export { createRedis, type RedisClient } from './client.js';
export { describeHosts, isSingleServer, resolveKeyPrefix, parseRedisUrl } from './redis-url.js';
export { adviceFor, explainRedisError, isRefusedLogin } from './redis-error.js';
