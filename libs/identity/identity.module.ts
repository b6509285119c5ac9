import { Module, type DynamicModule } from '@nestjs/common';
import { ApiKeys } from './api-keys.js';
import { AuditLog } from './audit.js';
import { IDENTITY_OPTIONS, type IdentityOptions } from './identity.options.js';
import { Members } from './members.js';
import { ProviderMessages } from './provider-messages.js';
import { SigningKeys } from './signing-keys.js';
import { Users } from './users.js';
import { Workspaces } from './workspaces.js';

const services = [ApiKeys, AuditLog, Members, ProviderMessages, SigningKeys, Users, Workspaces];

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
