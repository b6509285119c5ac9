/*
 * Counts requests per user and per IP address, in memory or shared through Redis. `apps/api` identifies the
 * caller and refuses callers that are over the limit.
 */
export { RateLimitsModule } from './rate-limits.module.js';
export { isOverQuota, WINDOW_SECONDS, type CallerKeys, type Usage } from './policy.js';
export { RateLimits } from './rate-limits.js';
