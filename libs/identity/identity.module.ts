import { Module, type DynamicModule } from '@nestjs/common';
import { IDENTITY_OPTIONS, type IdentityOptions } from './identity.options.js';
import { ProviderMessages } from './provider-messages.js';
import { JwksCache } from './jwks-cache.js';
import { Users } from './users.js';

const services = [JwksCache, ProviderMessages, Users];

@Module({})
export class IdentityModule {
  static forRoot(options: IdentityOptions): DynamicModule {
    return {
      module: IdentityModule,
      providers: [...services, { provide: IDENTITY_OPTIONS, useValue: options }],
      exports: [...services, IDENTITY_OPTIONS],
    };
  }
}
