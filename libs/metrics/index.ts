/*
 * The metrics of both programs for Prometheus, and the server that serves them. The catalogue names every metric; the
 * rest of Galley counts and measures by these names, and does not know the library. docs/run/metrics.md explains the
 * numbers to operators.
 */
export { MetricsModule } from './metrics.module.js';
export { Metrics, type Sample } from './metrics.js';
export { ProgramMetrics } from './program-metrics.js';
