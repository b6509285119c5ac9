import { Module, type DynamicModule } from '@nestjs/common';
import { Deliveries } from './deliveries.js';
import { DeliveryLog } from './delivery-log.js';
import { EndpointSecrets } from './endpoint-secrets.js';
import { EndpointStates } from './endpoint-states.js';
import { Endpoints } from './endpoints.js';
import { Farewell } from './farewell.js';
import { Feed } from './feed.js';
import { Notifier } from './notifier.js';
import { Records } from './records.js';
import { Relay } from './relay.js';
import { Replays } from './replays.js';
import { Secrets } from './secrets.js';
import { Sender } from './sender.js';
import { Turns } from './turns.js';
import { WEBHOOKS_OPTIONS, type WebhooksOptions } from './webhooks.options.js';

@Module({})
export class WebhooksModule {
  static forRoot(options: WebhooksOptions): DynamicModule {
    return {
      module: WebhooksModule,
      providers: [
        Deliveries,
        DeliveryLog,
        Endpoints,
        EndpointSecrets,
        EndpointStates,
        Farewell,
        Feed,
        Notifier,
        Records,
        Relay,
        Replays,
        Secrets,
        Sender,
        Turns,
        { provide: WEBHOOKS_OPTIONS, useValue: options },
      ],
      exports: [
        Deliveries,
        DeliveryLog,
        Endpoints,
        EndpointSecrets,
        EndpointStates,
        Farewell,
        Feed,
        Notifier,
        Records,
        Relay,
        Replays,
        Sender,
        Turns,
      ],
    };
  }
}
