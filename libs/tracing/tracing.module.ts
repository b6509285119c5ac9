import { Injectable, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { setTracer } from './tracer.js';

/** The values of the OpenTelemetry environment variables. */
interface TracingConfig {
  OTEL_EXPORTER_OTLP_ENDPOINT: string | undefined;
  OTEL_EXPORTER_OTLP_HEADERS: string | undefined;
  OTEL_TRACES_SAMPLER: string;
  OTEL_TRACES_SAMPLER_ARG: number;
}

/** Sends the last spans before the program ends. */
@Injectable()
class TracingShutdown implements OnApplicationShutdown {
  constructor(private readonly flush: () => Promise<void>) {}

  async onApplicationShutdown(): Promise<void> {
    await this.flush();
  }
}

/** Loads the OpenTelemetry SDK if a collector is configured. */
@Module({})
export class TracingModule {
  /** @param serviceName the name of the program in traces, unless `OTEL_SERVICE_NAME` is set. */
  static forRoot(serviceName: string, config: TracingConfig): DynamicModule {
    const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config;
    if (endpoint === undefined) return { module: TracingModule };
    return {
      module: TracingModule,
      providers: [
        {
          provide: TracingShutdown,
          useFactory: async () => {
            const { startSdk } = await import('./sdk.js');
            const { tracer, shutdown } = startSdk(serviceName, {
              endpoint,
              headers: config.OTEL_EXPORTER_OTLP_HEADERS,
              samplerName: config.OTEL_TRACES_SAMPLER,
              samplerArgument: config.OTEL_TRACES_SAMPLER_ARG,
            });
            setTracer(tracer);
            return new TracingShutdown(shutdown);
          },
        },
      ],
    };
  }
}
