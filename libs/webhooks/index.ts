export { problemOfHeaders } from './custom-headers.js';
export { Deliveries } from './deliveries.js';
export {
  DeliveryLog,
  deliveryStatuses,
  finishedStatuses,
  type DeliveryStatus,
} from './delivery-log.js';
export { EndpointSecrets } from './endpoint-secrets.js';
export { EndpointStates, heldChoices, type HeldChoice } from './endpoint-states.js';
export { endpointStatuses, type EndpointStatus } from './endpoint.js';
export { Endpoints } from './endpoints.js';
export { Farewell } from './farewell.js';
export { Feed } from './feed.js';
export { Notifier } from './notifier.js';
export { Records } from './records.js';
export { Relay } from './relay.js';
export { Replays } from './replays.js';
export { Turns, type ClaimedDelivery } from './turns.js';
export { WebhooksModule } from './webhooks.module.js';
