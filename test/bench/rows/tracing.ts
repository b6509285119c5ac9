import { Child } from '../child.js';
import { emailDocuments } from '../content/documents.js';
import { compare, interleave, type Row } from '../figures.js';
import type { Harness } from '../harness.js';
import { requestsPerSecond } from '../load.js';
import { createLoad } from './documents/create.js';
import { GalleyDeliveries } from './galley-deliveries.js';

/** How much of the traces the programs keep. */
const SHARES = ['1', '0.1'];
const target = { atLeast: 0.95 };
// The sides differ less than a side alone does from round to round. So a row has many short rounds.
const FULL = { rounds: 20, seconds: 2, deliveries: 10_000 };

/** Row 23: rows 1 and 5 with and without tracing, to a collector on this machine. */
export async function* tracingRows(harness: Harness): AsyncGenerator<Row> {
  const collector = await Child.start('test/bench/baselines/collector.js', {}, { health: '/' });
  for (const share of SHARES) {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: share,
    };
    yield await createRow(harness, share, environment);
    yield await deliverRow(harness, share, environment);
  }
  await collector.stop();
}

async function createRow(
  harness: Harness,
  share: string,
  environment: Record<string, string>,
): Promise<Row> {
  const contents = emailDocuments(1_000, 50);
  const [on, off] = [await harness.install({ environment }), await harness.install()];
  const { rounds, seconds } = extentOf(harness);
  const figures = await interleave(rounds, {
    on: () => requestsPerSecond(createLoad(on, contents), seconds),
    off: () => requestsPerSecond(createLoad(off, contents), seconds),
  });
  await Promise.all([on.stop(), off.stop()]);
  return {
    number: `23 (create, ${describeShare(share)})`,
    what: `create a template, ${describeShare(share)} of the traces are kept`,
    baseline: 'without tracing',
    unit: 'requests/s',
    ...compare(figures.on, figures.off),
    target,
  };
}

async function deliverRow(
  harness: Harness,
  share: string,
  environment: Record<string, string>,
): Promise<Row> {
  const { queue } = harness;
  const on = await GalleyDeliveries.start(harness, queue, { environment });
  const off = await GalleyDeliveries.start(harness, queue);
  const { rounds, deliveries } = extentOf(harness);
  const figures = await interleave(rounds, {
    on: () => on.perSecond(deliveries),
    off: () => off.perSecond(deliveries),
  });
  await Promise.all([on.stop(), off.stop()]);
  return {
    number: `23 (deliver, ${describeShare(share)})`,
    what: `deliver, queue in ${queue}, ${describeShare(share)} of the traces are kept`,
    baseline: 'without tracing',
    unit: 'deliveries/s',
    ...compare(figures.on, figures.off),
    target,
  };
}

const extentOf = ({ scale }: Harness): typeof FULL =>
  scale.quick ? { ...scale, deliveries: 2_000 } : FULL;

const describeShare = (share: string): string => `${100 * Number(share)} %`;
