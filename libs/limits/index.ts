/*
 * Counts requests per user and per IP address, in memory or shared through Redis. Who the caller is, and
 * the response to a caller over the limit, are left to `apps/api`.
 */
export { RateLimitsModule } from './rate-limits.module.js';
export { isOverQuota, WINDOW_SECONDS, type CallerKeys, type Usage } from './policy.js';
export { RateLimits } from './rate-limits.js';
