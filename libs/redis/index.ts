/*
 * The connections to Redis: a URL stands for one server, for the sentinels that know the primary, or
 * for a cluster. The libs
 * that send commands decide what they are for.
 */
export { createRedis, type ClientOptions, type RedisClient } from './client.js';
export { hostsOf, isOneServer, keyPrefixOf, parseRedisUrl } from './redis-url.js';
export { adviceFor, explainRedisError, isRefusedLogin } from './redis-error.js';
