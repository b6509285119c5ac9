import { Module, type DynamicModule } from '@nestjs/common';
import { IdentityModule, type IdentityOptions } from '#identity';
import { WorkspacesModule } from '#workspaces';
import { AuthController } from './auth.controller.js';
import { Authenticator } from './authenticator.js';
import { RequestLimits } from './request-limits.js';
import { TokenCheck } from './token-check.js';
import { TokenVerifier } from './token-verifier.js';

@Module({})
export class AuthModule {
  static forRoot(options: IdentityOptions): DynamicModule {
    return {
      module: AuthModule,
      imports: [IdentityModule.forRoot(options), WorkspacesModule],
      controllers: [AuthController],
      providers: [Authenticator, RequestLimits, TokenCheck, TokenVerifier],
      exports: [WorkspacesModule],
    };
  }
}
