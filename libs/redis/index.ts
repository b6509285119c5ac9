/*
 * The connections to Redis: a URL stands for one server, or for the sentinels that know the primary. The libs
 * that send commands decide what they are for.
 */
export { createRedis, type ClientOptions, type RedisClient } from './client.js';
export { hostsOf, parseRedisUrl } from './redis-url.js';
