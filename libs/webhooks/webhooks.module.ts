import { Module, type DynamicModule } from '@nestjs/common';
import { AttemptRecorder } from './delivery/attempt-recorder.js';
import { Claims } from './delivery/claims.js';
import { DeliveryRequests } from './delivery/delivery-request.js';
import { PendingDeliveries } from './delivery/pending-deliveries.js';
import { Relay } from './delivery/relay.js';
import { EndpointSecrets } from './endpoints/endpoint-secrets.js';
import { EndpointLifecycle } from './endpoints/endpoint-lifecycle.js';
import { Endpoints } from './endpoints/endpoints.js';
import { OrphanedEndpoints } from './endpoints/orphaned-endpoints.js';
import { StatusUpdates } from './endpoints/status-updates.js';
import { DeliveryActions } from './history/delivery-actions.js';
import { DeliveryLog } from './history/delivery-log.js';
import { DeliveryStatistics } from './history/delivery-statistics.js';
import { EventFeed } from './history/event-feed.js';
import { HealthReports } from './history/health-reports.js';
import { Replays } from './history/replays.js';
import { BacklogObserver } from './observation/backlog-observer.js';
import { Sender } from './sending/sender.js';
import { SigningKeysCache } from './sending/signing-keys-cache.js';
import { WEBHOOKS_OPTIONS, type WebhooksOptions } from './webhooks.options.js';

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
