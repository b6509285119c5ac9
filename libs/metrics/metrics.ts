import { setTimeout as delay } from 'node:timers/promises';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import {
  catalogue,
  type Catalogue,
  type Definition,
  type MetricName,
  type Program,
} from './catalogue.js';

type NameOf<Type> = {
  [Name in MetricName]: Catalogue[Name]['type'] extends Type ? Name : never;
}[MetricName];
type Labels<Name extends MetricName> = Record<Catalogue[Name]['labels'][number], string>;
/** The current value of one series, which is read on each scrape. */
export type Sample = {
  [Name in MetricName]: [name: Name, labels: Labels<Name>, value: number];
}[NameOf<'gauge' | 'counter'>];

// Prometheus waits 10 s for a scrape by default, and a readiness check takes up to 3 s.
const READ_TIMEOUT_MS = 4_000;

// These prom-client gauges have the counter suffix `_total`, which promtool rejects. They are not needed, because they
// are the sums of nodejs_active_handles, nodejs_active_requests and nodejs_active_resources.
const MISNAMED_DEFAULTS = ['handles', 'requests', 'resources'].map(
  (name) => `nodejs_active_${name}_total`,
);

type Instrument = Counter | Gauge | Histogram;

/**
 * The metrics of one program, in the Prometheus format. Without `METRICS_PORT` there is no registry, and all methods do
 * nothing.
 */
export class Metrics {
  private readonly registry: Registry | undefined;
  private readonly instruments = new Map<string, Instrument>();
  private readonly watches: (() => Sample[] | Promise<Sample[]>)[] = [];

  constructor(program: Program, isEnabled: boolean) {
    if (!isEnabled) return;
    this.registry = new Registry();
    collectDefaultMetrics({ register: this.registry });
    for (const name of MISNAMED_DEFAULTS) this.registry.removeSingleMetric(name);
    for (const [name, definition] of Object.entries<Definition>(catalogue)) {
      if (definition.programs.includes(program)) {
        this.instruments.set(name, createInstrument(name, definition, this.registry));
      }
    }
  }

  get isEnabled(): boolean {
    return this.registry !== undefined;
  }

  /** The value of the `Content-Type` header for `exposition`. */
  get contentType(): string {
    return this.registry?.contentType ?? '';
  }

  add<Name extends NameOf<'counter'>>(name: Name, labels: Labels<Name>, amount = 1): void {
    (this.instruments.get(name) as Counter | undefined)?.inc(labels, amount);
  }

  /** Adds a duration to a histogram. */
  observe<Name extends NameOf<'histogram'>>(
    name: Name,
    labels: Labels<Name>,
    seconds: number,
  ): void {
    (this.instruments.get(name) as Histogram | undefined)?.observe(labels, seconds);
  }

  /**
   * Registers a function that reads current values on each scrape. If the function leaves out a series, fails or takes
   * too long, the series is absent from that scrape.
   */
  watch(read: () => Sample[] | Promise<Sample[]>): void {
    this.watches.push(read);
  }

  /** Returns all current values in the Prometheus text format. */
  async exposition(): Promise<string> {
    const samples = await Promise.all(this.watches.map(readInTime));
    // Nothing is awaited between these lines, so two concurrent scrapes do not mix their values.
    for (const instrument of this.instruments.values()) {
      if (instrument instanceof Gauge) clear(instrument);
    }
    for (const [name, labels, value] of samples.flat()) this.setValue(name, labels, value);
    return (await this.registry?.metrics()) ?? '';
  }

  private setValue(name: string, labels: Record<string, string>, value: number): void {
    const instrument = this.instruments.get(name);
    if (instrument instanceof Gauge) instrument.set(labels, value);
    else if (instrument instanceof Counter) {
      instrument.remove(labels);
      instrument.inc(labels, value);
    }
  }
}

function createInstrument(name: string, definition: Definition, registry: Registry): Instrument {
  const { type, help, labels, buckets } = definition;
  const options = { name, help, labelNames: [...labels], registers: [registry] };
  if (type === 'histogram') return new Histogram({ ...options, buckets: [...(buckets ?? [])] });
  return type === 'counter' ? new Counter(options) : new Gauge(options);
}

/** Removes all series. `reset` of a gauge without labels would leave a series with the value 0. */
function clear(gauge: Gauge): void {
  gauge.reset();
  gauge.remove({});
}

async function readInTime(read: () => Sample[] | Promise<Sample[]>): Promise<Sample[]> {
  const timer = new AbortController();
  try {
    return await Promise.race([
      read(),
      delay(READ_TIMEOUT_MS, [], { ref: false, signal: timer.signal }),
    ]);
  } catch {
    // The readiness check logs the reason for the failure.
    return [];
  } finally {
    timer.abort();
  }
}
