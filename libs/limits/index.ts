/*
 * Counts requests per user and per IP address, and test emails per user, in memory or shared through Redis. `apps/api`
 * identifies the caller. The users of this library refuse callers that are over the limit.
 */
export { RateLimitsModule } from './rate-limits.module.js';
export {
  isOverQuota,
  WINDOW_SECONDS,
  type CallerKeys,
  type RequestPolicyName,
  type Usage,
} from './policy.js';
export { RateLimits } from './rate-limits.js';
