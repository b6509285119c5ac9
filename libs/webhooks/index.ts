export { MAX_HEADERS, MAX_HEADER_VALUE, problemOfHeaders } from './custom-headers.js';
export { attemptStages } from './attempt-errors.js';
export { Deliveries } from './deliveries.js';
export {
  deliveryStatuses,
  finishedStatuses,
  type AttemptOutcome,
  type Delivery,
  type DeliveryDetails,
  type DeliveryStatus,
  type LoggedAttempt,
} from './delivery.js';
export { DeliveryLog } from './delivery-log.js';
export { EndpointSecrets } from './endpoint-secrets.js';
export {
  EndpointStates,
  heldChoices,
  type HeldChoice,
  type Transition,
} from './endpoint-states.js';
export type { DueEndpoint, EndpointHealth } from './endpoint-health.js';
export { endpointStatuses, type Endpoint, type EndpointStatus } from './endpoint.js';
export { Endpoints } from './endpoints.js';
export { Farewell } from './farewell.js';
export { Feed, type FeedEvent } from './feed.js';
export { Notifier } from './notifier.js';
export { Records } from './records.js';
export { Relay, type RelayWalk } from './relay.js';
export { Replays, replayStatuses, type Replay, type ReplayStatus } from './replays.js';
export { Sender } from './sender.js';
export { socketLimit } from './socket-limit.js';
export { Turns, type ClaimedDelivery } from './turns.js';
export { WebhooksModule } from './webhooks.module.js';
