import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { IdentityModule, type IdentityOptions } from '#identity';
import { AuthController } from './auth.controller.js';
import { RequestLimits } from './request-limits.js';
import { TokenGuard } from './token.guard.js';
import { TokenStrategy } from './token.strategy.js';
import { VerifiedTokens } from './verified-tokens.js';

@Module({})
export class AuthModule {
  static forRoot(options: IdentityOptions): DynamicModule {
    return {
      module: AuthModule,
      imports: [IdentityModule.forRoot(options)],
      controllers: [AuthController],
      providers: [
        RequestLimits,
        TokenGuard,
        TokenStrategy,
        VerifiedTokens,
        { provide: APP_GUARD, useExisting: TokenGuard },
      ],
      exports: [IdentityModule],
    };
  }
}
