import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadWorkerConfig } from '#config';
import { Database, Lease } from '#database';
import { SHUTDOWN_TIMES } from '#shutdown';
import { probePort } from '../../../apps/standalone/ports.js';
import { createWorker } from '../../../apps/worker/worker.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { itTimed } from '../../support/it-timed.js';
import { TcpProxy } from '../../support/network/tcp-proxy.js';
import {
  killPrograms,
  startReadyProgram,
  type GalleyProgram,
} from '../../support/processes/galley-programs.js';

// Compose, the Helm chart and docs/run/operations.md give a program 30 s.
const PROMISED_MS = 30_000;
const SHORT_SHUTDOWN_TIME = new URL(
  '../../support/processes/short-shutdown-time.js',
  import.meta.url,
);

it('a shutdown has a limit that is shorter than the time that the manual promises', () => {
  expect(SHUTDOWN_TIMES.maxMs).toBeLessThan(PROMISED_MS);
});

describe('a PostgreSQL that stops responding before SIGTERM', () => {
  let galley: Galley;
  let proxy: TcpProxy;
  const programs: GalleyProgram[] = [];

  beforeEach(async () => {
    galley = await startGalley();
    proxy = await TcpProxy.to(galley.database.url);
  });
  afterEach(async () => {
    await killPrograms(programs);
    await proxy.stop();
    await galley.stop();
  });

  /** Silences PostgreSQL, and stops the program. */
  async function stop(name: 'api' | 'worker', nodeArguments: string[] = []) {
    const environment = {
      ...galley.environment,
      LOG_LEVEL: 'info',
      DATABASE_URL: proxy.url,
      DATABASE_DIRECT_URL: proxy.url,
      // Then the program also has the lease for the figures of the backlog.
      METRICS_PORT: String(await probePort(0)),
    };
    const started = await startReadyProgram(name, environment, { nodeArguments });
    programs.push(started);
    const { program } = started;
    proxy.silence();
    const stoppedAt = performance.now();
    program.signal('SIGTERM');
    const [code] = await program.waitForExit();
    return { code, ms: performance.now() - stoppedAt, output: program.output };
  }

  // An API without open connections used to take 50 seconds.
  itTimed('an idle API ends within seconds', async () => {
    const { code, ms } = await stop('api');
    expect(code).toBe(0);
    expect(ms).toBeLessThan(15_000);
  });

  itTimed(
    'a lease is given up within seconds, and its error is no error of the shutdown',
    async () => {
      const environment = { ...galley.environment, DATABASE_URL: proxy.url };
      const worker = await createWorker(loadWorkerConfig(environment));
      const lease = new Lease(worker.get(Database, { strict: false }), 'test', 60);
      expect(await lease.acquire()).toBe(true);
      proxy.silence();
      const startedAt = performance.now();
      await lease.release();
      expect(performance.now() - startedAt).toBeLessThan(5_000);
      await proxy.stop();
      await worker.close();
    },
  );

  itTimed('a worker that waits for its statements ends in time, and says for what', async () => {
    const { code, ms, output } = await stop('worker', [`--import=${SHORT_SHUTDOWN_TIME.href}`]);
    expect(code).toBe(1);
    expect(ms).toBeLessThan(8_000);
    expect(output).toMatch(
      /did not shut down within 4 s, so it is forced to exit\. Still running: .*DeliveryPipeline/,
    );
  });
});
