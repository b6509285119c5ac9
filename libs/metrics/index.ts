/*
 * The Prometheus metrics of the API and the worker, and the server that exposes them. The catalogue defines every
 * metric. The rest of Galley uses only the names in the catalogue and does not depend on prom-client.
 * docs/run/metrics.md explains the metrics to operators.
 */
export { MetricsModule } from './metrics.module.js';
export { Metrics, type Sample } from './metrics.js';
export { ProgramMetrics } from './program-metrics.js';
