/*
 * Webhooks: everything from an event in the outbox to the log of its deliveries.
 *
 * - `pipeline` relays events, claims and sends deliveries, and records the attempts.
 * - `traffic` limits the requests to each endpoint.
 * - `sending` signs and sends one request.
 * - `delivery` changes pending deliveries in bulk, and runs the steps of replays.
 * - `endpoints` manages the settings and the status of endpoints.
 * - `history` lists events and deliveries, and retries, cancels or replays deliveries.
 * - `statistics` counts attempts.
 * - `observation` measures the backlog.
 */
export { AttemptRecorder, type AttemptResult } from './pipeline/attempt-recorder.js';
export { Claims, type ClaimedDelivery } from './pipeline/claims.js';
export { endpointStatuses, type EndpointStatus } from './delivery/endpoint-status.js';
export { PendingDeliveries } from './delivery/pending-deliveries.js';
export { Relay } from './pipeline/relay.js';
export { ReplayJob } from './delivery/replays/replay-job.js';
export { countSecretsByKey } from './endpoints/count-secrets-by-key.js';
export { EndpointSecrets } from './endpoints/endpoint-secrets.js';
export {
  EndpointLifecycle,
  heldDeliveriesActions,
  type HeldDeliveriesAction,
  type StatusTransition,
} from './endpoints/endpoint-lifecycle.js';
export type { Endpoint } from './endpoints/endpoint.js';
export { Endpoints } from './endpoints/endpoints.js';
export type { ListedEndpoint } from './endpoints/list-endpoints.js';
export { OperatorActions } from './endpoints/operator-actions.js';
export { OrphanedEndpoints } from './endpoints/orphaned-endpoints.js';
export { StatusUpdates } from './pipeline/status-updates.js';
export { DeliveryActions } from './history/delivery-actions.js';
export { DeliveryLog } from './history/delivery-log.js';
export {
  deliveryStatuses,
  finishedStatuses,
  type AttemptSummary,
  type Delivery,
  type DeliveryDetails,
  type DeliveryStatus,
  type LoggedAttempt,
} from './history/delivery.js';
export { DeliveryStatistics } from './history/delivery-statistics.js';
export { EventFeed, type FeedEvent } from './history/event-feed.js';
export { HealthReports, type HealthReport } from './history/health-reports.js';
export { Replays, type Replay } from './history/replays.js';
export { BacklogObserver } from './observation/backlog-observer.js';
export { attemptStages } from './sending/attempt-errors.js';
export {
  findHeaderProblem,
  MAX_HEADER_VALUE_LENGTH,
  MAX_HEADERS,
} from './sending/custom-headers.js';
export { inspectUrl } from './sending/inspect-url.js';
export { findProxyProblem } from './sending/proxy.js';
export { Sender } from './sending/sender.js';
export type { RecentStatistics } from './statistics/recent-statistics.js';
export type { Statistics, StatisticsPoint, StatisticsTotals } from './statistics/statistics.js';
export { statisticsSteps, type StatisticsStep } from './statistics/statistics-range.js';
export {
  endpointHealths,
  type DueEndpoint,
  type EndpointHealth,
} from './traffic/endpoint-health.js';
export type { LastFailure } from './traffic/last-failure.js';
export { pauseReasons, type PauseReason } from './traffic/traffic-report.sql.js';
export { deliveryPipeline, WebhooksModule } from './webhooks.module.js';
export { MAX_COUNTED, OBSERVE_BACKLOG, OBSERVE_OUTBOX } from './observation/observe-backlog.sql.js';
export {
  endpointSorts,
  LIST_WAITING_WORKSPACES,
  listEndpointBacklogs,
  type EndpointSort,
} from './observation/list-backlogs.sql.js';
