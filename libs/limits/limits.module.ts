import { Module, type DynamicModule } from '@nestjs/common';
import { LIMITS_OPTIONS, RateLimits, type LimitsOptions } from './rate-limits.js';

@Module({})
export class LimitsModule {
  static forRoot(options: LimitsOptions): DynamicModule {
    return {
      module: LimitsModule,
      global: true,
      providers: [RateLimits, { provide: LIMITS_OPTIONS, useValue: options }],
      exports: [RateLimits],
    };
  }
}
