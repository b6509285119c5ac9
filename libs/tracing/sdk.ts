import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { context, diag, DiagLogLevel, propagation, type Tracer } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  parseKeyPairsIntoRecord,
  setGlobalErrorHandler,
  W3CTraceContextPropagator,
} from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import { build, LogThrottle } from '#config';

// The SDK itself retries a failed export for 10 s, which is too long for a shutdown.
const SHUTDOWN_TIMEOUT_MS = 2_000;
// At 4,000 spans a second, the queue holds the spans of two seconds. When the queue is full, new spans are dropped.
const MAX_QUEUED_SPANS = 8_192;

interface SdkOptions {
  /** The URL of the collector, without `/v1/traces`. */
  endpoint: string;
  /** `name=value` pairs separated by commas. They may come from a file, which the SDK cannot read itself. */
  headers: string | undefined;
  samplerName: string;
  samplerArgument: number;
}

const logger = new Logger('Tracing');

/**
 * Starts the OpenTelemetry SDK. There is no automatic instrumentation: all spans are created by hand.
 * `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` override the default attributes of the resource.
 */
export function startSdk(
  serviceName: string,
  { endpoint, headers, samplerName, samplerArgument }: SdkOptions,
): { tracer: Tracer; shutdown: () => Promise<void> } {
  setGlobalErrorHandler(logFailure);
  const ignore = () => undefined;
  const diagnostics = { error: ignore, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger({ ...diagnostics, warn: logDroppedSpans }, DiagLogLevel.WARN);
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers: parseKeyPairsIntoRecord(headers),
  });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': serviceName, 'service.version': build }))
      .merge(
        detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }),
      ),
    sampler: createSampler(samplerName, samplerArgument),
    spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: MAX_QUEUED_SPANS })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return {
    tracer: provider.getTracer('galley', build),
    shutdown: async () => {
      const timeout = delay(SHUTDOWN_TIMEOUT_MS, undefined, { ref: false }).then(() => {
        throw new Error(`The collector did not respond within ${SHUTDOWN_TIMEOUT_MS / 1_000} s.`);
      });
      await Promise.race([provider.shutdown(), timeout]).catch(logFailure);
    },
  };
}

const throttle = new LogThrottle();

/** Without this function, the SDK would print each failed export with all its fields. */
function logFailure(error: unknown): void {
  throttle.log((count) =>
    logger.warn(
      { err: error, stage: 'trace', count },
      'Spans were dropped: the OpenTelemetry collector at OTEL_EXPORTER_OTLP_ENDPOINT did not accept them.',
    ),
  );
}

/**
 * Logs that spans were dropped because the queue was full. Other messages of the SDK are not logged, because some quote
 * `OTEL_EXPORTER_OTLP_HEADERS`.
 */
function logDroppedSpans(message: string): void {
  if (!/^Dropped \d+ spans/.test(message)) return;
  throttle.log((count) =>
    logger.warn(
      { stage: 'trace', count, problem: message },
      'Spans were dropped, because the queue of spans was full.',
    ),
  );
}

function createSampler(name: string, argument: number): Sampler {
  const [, isParentBased, root] = /^(parentbased_)?(.*)$/.exec(name) ?? [];
  const sampler =
    root === 'always_off'
      ? new AlwaysOffSampler()
      : root === 'traceidratio'
        ? new TraceIdRatioBasedSampler(argument)
        : new AlwaysOnSampler();
  return isParentBased ? new ParentBasedSampler({ root: sampler }) : sampler;
}
