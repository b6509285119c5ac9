import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { probePort } from '../../../apps/standalone/ports.js';
import { eventually } from '../eventually.js';
import { Program } from './program.js';
import { hasProgram } from './required-program.js';

const FILES = join(import.meta.dirname, '../../../docker/prometheus');
export const ALERT_RULES = join(FILES, 'alerts.yml');

export const hasPrometheus = hasProgram(
  'prometheus',
  'run apt-get install --no-install-recommends prometheus.',
);

// Every time in the rules but one is divided by this number: the time in `for`, each range, and each age with which a
// gauge is compared. So a rule keeps the order of its times, and 15 minutes pass in 22 seconds.
const SPEED = 40;
// A busy machine takes nine seconds for a restart, and the rule counts four.
const SPEED_OF_RESTARTS = 15;
// The shortest range, a minute, then contains three scrapes.
const SCRAPE_INTERVAL = '500ms';
const EVALUATION_INTERVAL = '250ms';

const SECONDS = { s: 1, m: 60, h: 3_600 };
const hasten = (text: string, speed = SPEED) =>
  text.replace(
    /\b(\d+)([smh])\b/g,
    (_duration, count: string, unit: keyof typeof SECONDS) =>
      `${(Number(count) * SECONDS[unit] * 1_000) / speed}ms`,
  );
const hastenAges = (expression: string) =>
  expression.replace(
    /(_(?:age|timestamp)_seconds\)? > )(\d+)/g,
    (_comparison, age: string, seconds: string) => `${age}${Number(seconds) / SPEED}`,
  );

interface Rules {
  groups: { name: string; rules: { alert: string; expr: string; for?: string }[] }[];
}

/** docker/prometheus/alerts.yml with shorter times. */
async function readHastenedRules(): Promise<Rules> {
  const { groups } = parse(await readFile(ALERT_RULES, 'utf8')) as Rules;
  return {
    groups: groups.map(({ name, rules }) => ({
      name,
      rules: rules.map((rule) => ({
        ...rule,
        expr: hastenAges(
          hasten(rule.expr, rule.alert === 'GalleyRestarts' ? SPEED_OF_RESTARTS : SPEED),
        ),
        ...(rule.for && { for: hasten(rule.for) }),
      })),
    })),
  };
}

/** docker/prometheus/prometheus.yml, which finds the programs at ports of this machine. */
async function readConfiguration(ports: Record<string, number[]>): Promise<object> {
  const configuration = parse(await readFile(join(FILES, 'prometheus.yml'), 'utf8')) as {
    rule_files: string[];
    scrape_configs: { job_name: string }[];
  };
  return {
    ...configuration,
    global: { scrape_interval: SCRAPE_INTERVAL, evaluation_interval: EVALUATION_INTERVAL },
    scrape_configs: configuration.scrape_configs.map(({ job_name: job }) => ({
      job_name: job,
      static_configs: [
        {
          targets: ports[job]?.map((port) => `127.0.0.1:${port}`) ?? [],
          // Kubernetes adds this label, and the queries of the chart for KEDA select by it.
          labels: { namespace: NAMESPACE },
        },
      ],
    })),
  };
}

export const NAMESPACE = 'mail';

type State = 'inactive' | 'pending' | 'firing';
interface RuleReport {
  name: string;
  state: State;
  lastError?: string;
  alerts: { annotations: Record<string, string>; state: State; value: string }[];
}
interface TargetReport {
  scrapeUrl: string;
  health: string;
  lastError: string;
  lastScrapeDuration: number;
}
interface Series {
  metric: Record<string, string>;
  value: [time: number, value: string];
}

/** A Prometheus with the scrape jobs and the alert rules of docker/prometheus. */
export class Prometheus {
  private constructor(
    private readonly program: Program,
    private readonly folder: string,
    private readonly url: string,
  ) {}

  /** @param ports the ports of the metrics, by the name of their scrape job. */
  static async start(ports: Record<string, number[]>): Promise<Prometheus> {
    const folder = await mkdtemp(join(tmpdir(), 'galley-prometheus-'));
    const port = await probePort(0);
    const configuration = join(folder, 'prometheus.yml');
    await writeFile(configuration, stringify(await readConfiguration(ports)));
    await writeFile(join(folder, 'alerts.yml'), stringify(await readHastenedRules()));
    const program = new Program('prometheus', [
      `--config.file=${configuration}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ]);
    const prometheus = new Prometheus(program, folder, `http://127.0.0.1:${port}`);
    const hasEnded = program.exited.then(() => {
      throw new Error(`Prometheus ended:\n${program.output}`);
    });
    const isReady = () =>
      fetch(`${prometheus.url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    await Promise.race([eventually('Prometheus', isReady), hasEnded]);
    return prometheus;
  }

  /** The names of the alerts that fire now. */
  async firing(): Promise<string[]> {
    const rules = await this.rules();
    return rules.filter(({ state }) => state === 'firing').map(({ name }) => name);
  }

  /** Waits until all these alerts fire at the same time, and returns their annotations. */
  async waitUntilFiring(alerts: string[], timeout: number): Promise<string[]> {
    await this.waitFor(
      `${alerts.join(', ')} to fire`,
      async () => {
        const firing = await this.firing();
        return alerts.every((alert) => firing.includes(alert));
      },
      timeout,
    );
    const rules = await this.rules();
    return rules
      .filter(({ name }) => alerts.includes(name))
      .flatMap((rule) => rule.alerts.flatMap(({ annotations }) => Object.values(annotations)));
  }

  /** Waits until none of these alerts fires. */
  waitUntilOver(alerts: string[], timeout: number): Promise<void> {
    return this.waitFor(
      `${alerts.join(', ')} to end`,
      async () => {
        const firing = await this.firing();
        return !alerts.some((alert) => firing.includes(alert));
      },
      timeout,
    );
  }

  /** The names of all alerts that fired at some point within a time, such as `10s`. */
  firedWithin(time: string): Promise<string[]> {
    return this.namesOf(`max_over_time(ALERTS{alertstate="firing"}[${time}])`);
  }

  /** Waits until no alert has fired or been pending for a time. */
  waitUntilQuiet(time: string, timeout: number): Promise<void> {
    return this.waitFor(
      `${time} without an alert`,
      async () => (await this.namesOf(`max_over_time(ALERTS[${time}])`)).length === 0,
      timeout,
    );
  }

  async query(expression: string): Promise<Series[]> {
    const { result } = await this.get<{ result: Series[] }>(
      `query?query=${encodeURIComponent(expression)}`,
    );
    return result;
  }

  async stop(): Promise<void> {
    this.program.killGroup();
    await this.program.exited;
    await rm(this.folder, { recursive: true, force: true });
  }

  private async namesOf(alerts: string): Promise<string[]> {
    const series = await this.query(`count by (alertname) (${alerts})`);
    return series.map(({ metric }) => metric['alertname'] ?? '').sort();
  }

  /** The message of a failure has the states of all rules and targets. */
  private async waitFor(
    what: string,
    isMet: () => Promise<boolean>,
    timeout: number,
  ): Promise<void> {
    try {
      await eventually(what, isMet, { timeout });
    } catch (error) {
      const { activeTargets } = await this.get<{ activeTargets: TargetReport[] }>('targets');
      const report = [
        ...(await this.rules()).map(({ name, state, alerts: [alert] }) =>
          [name, state, alert?.value].join(' '),
        ),
        ...activeTargets.map(({ scrapeUrl, health, lastError, lastScrapeDuration }) =>
          [scrapeUrl, health, lastError, `after ${lastScrapeDuration} s`].join(' '),
        ),
      ];
      throw new Error([error, ...report].join('\n'), { cause: error });
    }
  }

  private async rules(): Promise<RuleReport[]> {
    const { groups } = await this.get<{ groups: { rules: RuleReport[] }[] }>('rules');
    const rules = groups.flatMap((group) => group.rules);
    for (const { name, lastError } of rules)
      if (lastError) throw new Error(`${name}: ${lastError}`);
    return rules;
  }

  private async get<Data>(path: string): Promise<Data> {
    const response = await fetch(`${this.url}/api/v1/${path}`);
    const { data, error } = (await response.json()) as { data: Data; error?: string };
    if (error !== undefined) throw new Error(error);
    return data;
  }
}
