export { LimitsModule } from './limits.module.js';
export { isOver, WINDOW_S, type Callers, type Usage } from './policy.js';
export { RateLimits } from './rate-limits.js';
