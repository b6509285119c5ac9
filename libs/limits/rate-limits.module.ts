import { Module, type DynamicModule } from '@nestjs/common';
import { RATE_LIMITS_OPTIONS, RateLimits, type RateLimitsOptions } from './rate-limits.js';

@Module({})
export class RateLimitsModule {
  static forRoot(options: RateLimitsOptions): DynamicModule {
    return {
      module: RateLimitsModule,
      global: true,
      providers: [RateLimits, { provide: RATE_LIMITS_OPTIONS, useValue: options }],
      exports: [RateLimits],
    };
  }
}
