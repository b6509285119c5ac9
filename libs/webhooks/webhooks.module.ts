import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { PendingDeliveries } from './delivery/pending-deliveries.js';
import { EndpointLifecycle } from './endpoints/endpoint-lifecycle.js';
import { EndpointSecrets } from './endpoints/endpoint-secrets.js';
import { Endpoints } from './endpoints/endpoints.js';
import { OrphanedEndpoints } from './endpoints/orphaned-endpoints.js';
import { DeliveryActions } from './history/delivery-actions.js';
import { DeliveryLog } from './history/delivery-log.js';
import { DeliveryStatistics } from './history/delivery-statistics.js';
import { EventFeed } from './history/event-feed.js';
import { HealthReports } from './history/health-reports.js';
import { Replays } from './history/replays.js';
import { BacklogObserver } from './observation/backlog-observer.js';
import { AttemptRecorder } from './pipeline/attempt-recorder.js';
import { AttemptsInFlight } from './pipeline/attempts-in-flight.js';
import { Claims } from './pipeline/claims.js';
import { DeliveryPipeline } from './pipeline/delivery-pipeline.js';
import { DeliveryRequests } from './pipeline/delivery-request.js';
import { EndpointQueue } from './pipeline/endpoint-queue.js';
import { Relay } from './pipeline/relay.js';
import { Slots } from './pipeline/slots.js';
import { StatusUpdates } from './pipeline/status-updates.js';
import { Sender } from './sending/sender.js';
import { SigningKeysCache } from './sending/signing-keys-cache.js';
import { socketLimit } from './sending/socket-limit.js';
import { WEBHOOKS_OPTIONS, type WebhooksOptions } from './sending/webhooks.options.js';

const services = [
  AttemptRecorder,
  BacklogObserver,
  Claims,
  DeliveryActions,
  DeliveryLog,
  DeliveryRequests,
  DeliveryStatistics,
  Endpoints,
  EndpointSecrets,
  EndpointLifecycle,
  EventFeed,
  HealthReports,
  OrphanedEndpoints,
  PendingDeliveries,
  Relay,
  Replays,
  Sender,
  SigningKeysCache,
  StatusUpdates,
];

@Module({})
export class WebhooksModule {
  static forRoot(options: WebhooksOptions): DynamicModule {
    return {
      module: WebhooksModule,
      providers: [...services, { provide: WEBHOOKS_OPTIONS, useValue: options }],
      exports: services,
    };
  }
}

/**
 * The providers of the delivery pipeline, which runs in workers but not in the API.
 * @param concurrency maximum number of deliveries in flight. The limit on open files may lower it.
 */
export const deliveryPipeline = (concurrency: number): Provider[] => [
  AttemptsInFlight,
  DeliveryPipeline,
  EndpointQueue,
  { provide: Slots, useFactory: () => new Slots(Math.min(concurrency, socketLimit())) },
];
