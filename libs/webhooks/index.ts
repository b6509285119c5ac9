export { Deliveries, type ClaimedDelivery, type DueDelivery } from './deliveries.js';
export { Endpoints, endpointStatuses, type EndpointStatus } from './endpoints.js';
export { Notifier } from './notifier.js';
export { WebhooksModule } from './webhooks.module.js';
