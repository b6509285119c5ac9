import { Module, type DynamicModule } from '@nestjs/common';
import type { Program } from './catalogue.js';
import { METRICS_OPTIONS, MetricsServer, type MetricsOptions } from './metrics-server.js';
import { Metrics } from './metrics.js';

@Module({})
export class MetricsModule {
  static forRoot(program: Program, options: MetricsOptions): DynamicModule {
    return {
      module: MetricsModule,
      global: true,
      providers: [
        { provide: METRICS_OPTIONS, useValue: options },
        {
          provide: Metrics,
          useFactory: () => new Metrics(program, options.port !== undefined),
        },
        MetricsServer,
      ],
      exports: [Metrics],
    };
  }
}
