import { Module, type DynamicModule } from '@nestjs/common';
import { Deliveries } from './deliveries.js';
import { Endpoints } from './endpoints.js';
import { Notifier } from './notifier.js';
import { Secrets } from './secrets.js';
import { Sender } from './sender.js';
import { WEBHOOKS_OPTIONS, type WebhooksOptions } from './webhooks.options.js';

@Module({})
export class WebhooksModule {
  static forRoot(options: WebhooksOptions): DynamicModule {
    return {
      module: WebhooksModule,
      providers: [
        Deliveries,
        Endpoints,
        Notifier,
        Secrets,
        Sender,
        { provide: WEBHOOKS_OPTIONS, useValue: options },
      ],
      exports: [Deliveries, Endpoints, Notifier],
    };
  }
}
