import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { variables } from '#config';
import {
  CHART,
  hasHelm,
  lintChart,
  renderChart,
  type Manifest,
} from '../../support/processes/helm.js';
import { problemsOfManifests } from '../../support/processes/manifest-types.js';

const minimal = { config: { AUTH_ISSUER: 'https://issuer.example.com', AUTH_AUDIENCE: 'galley' } };
const everything = {
  images: {
    pullSecrets: [{ name: 'registry' }],
    tag: '9.9.9',
    digests: { api: `sha256:${'0'.repeat(64)}` },
  },
  secrets: Object.fromEntries(
    ['DATABASE_DIRECT_URL', 'REDIS_URL', 'AUTH_WEBHOOK_SECRET'].map((name) => [
      name,
      { name: 'more', key: name },
    ]),
  ),
  config: { ...minimal.config, MAX_BATCH_BYTES: 104_857_600, TRUSTED_PROXIES: '10.1.0.0/16' },
  extraEnv: [{ name: 'NODE_OPTIONS', value: '--max-http-header-size=32768' }],
  extraVolumes: [{ name: 'authority', configMap: { name: 'authority' } }],
  extraVolumeMounts: [{ name: 'authority', mountPath: '/etc/galley', readOnly: true }],
  api: {
    autoscaling: { enabled: true },
    nodeSelector: { disk: 'fast' },
    podAnnotations: { a: 'b' },
  },
  worker: {
    keda: { enabled: true },
    tolerations: [{ key: 'spot', operator: 'Exists' }],
    affinity: { nodeAffinity: {} },
  },
  service: { type: 'LoadBalancer', annotations: { a: 'b' } },
  ingress: { enabled: true, tlsSecretName: 'certificate' },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  prometheusRule: { enabled: true, labels: { release: 'prometheus' } },
  dashboards: { enabled: true },
  backup: { enabled: true, claimName: 'backups' },
  serviceAccount: { annotations: { a: 'b' } },
};
const bare = {
  ...minimal,
  config: { ...minimal.config, METRICS_PORT: '' },
  migrate: { enabled: false },
  podDisruptionBudget: { enabled: false },
  networkPolicy: { enabled: false },
};

const isSubset = (part: Record<string, string> = {}, whole: Record<string, string> = {}) =>
  Object.entries(part).every(([key, value]) => whole[key] === value);
const find = (manifests: Manifest[], kind: string, name: string) =>
  manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
const podsOf = (manifests: Manifest[]) =>
  manifests.flatMap(({ spec }) => spec?.template ?? spec?.jobTemplate?.spec.template ?? []);
const environmentOf = (manifests: Manifest[], kind: string, name: string) =>
  Object.fromEntries(
    find(manifests, kind, name)?.spec?.template?.spec.containers[0]?.env.map((entry) => [
      entry.name,
      entry.value ?? entry.valueFrom?.secretKeyRef,
    ]) ?? [],
  );

(hasHelm ? describe : describe.skip)('the chart', () => {
  describe.each(Object.entries({ minimal, everything, bare }))('with %s', (_name, values) => {
    const manifests = hasHelm ? renderChart(values) : [];

    it('has no finding of Helm', () => {
      expect(lintChart(values)).toContain('1 chart(s) linted, 0 chart(s) failed');
    });

    it('names each object once', () => {
      const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      expect(new Set(names).size).toBe(names.length);
    });

    it('runs all pods without root, privileges, capabilities and writable folders', () => {
      const pods = podsOf(manifests);
      expect(pods.length).toBeGreaterThanOrEqual(2);
      for (const { spec } of pods) {
        expect(spec).toMatchObject({
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        });
        const volumes = spec.volumes?.filter((volume) => !('persistentVolumeClaim' in volume));
        expect(volumes).toEqual('extraVolumes' in values ? values.extraVolumes : undefined);
        for (const { securityContext, resources, volumeMounts } of spec.containers) {
          expect(volumeMounts?.length).toBe(spec.volumes?.length);
          expect(securityContext).toEqual({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          });
          expect(resources).toMatchObject({ requests: {}, limits: { memory: expect.any(String) } });
        }
      }
    });

    it('probes the health of API and worker, and lets them finish', () => {
      for (const [name, port] of [['api', 3000] as const, ['worker', 3001] as const]) {
        const spec = find(manifests, 'Deployment', `shop-galley-${name}`)?.spec?.template?.spec;
        expect(spec?.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(30);
        expect(spec?.containers).toMatchObject([
          {
            livenessProbe: { httpGet: { path: '/health/live', port: 'http' } },
            readinessProbe: { httpGet: { path: '/health/ready', port: 'http' } },
            startupProbe: { httpGet: { path: '/health/live', port: 'http' } },
          },
        ]);
        expect(spec?.containers[0]?.ports?.[0]).toEqual({ name: 'http', containerPort: port });
        expect('lifecycle' in (spec?.containers[0] ?? {})).toBe(name === 'api');
      }
    });

    it('selects pods and ports that exist', () => {
      const pods = podsOf(manifests);
      for (const { kind, spec, metadata } of manifests) {
        const selector =
          kind === 'Service'
            ? spec?.selector
            : (spec?.selector?.matchLabels ?? spec?.podSelector?.matchLabels);
        if (selector === undefined) continue;
        const targets =
          kind === 'ServiceMonitor'
            ? manifests
                .filter((other) => other.kind === 'Service')
                .map((other) => other.metadata.labels)
            : pods.map((pod) => pod.metadata.labels);
        const selected = targets.filter((labels) => isSubset(selector as never, labels));
        expect([kind, metadata.name, selected.length]).not.toEqual([kind, metadata.name, 0]);
      }
      const ports = new Set(
        pods.flatMap(({ spec }) => spec.containers[0]?.ports ?? []).map(({ name }) => name),
      );
      const usedPorts = manifests.flatMap(({ spec }) => [
        ...(spec?.ports?.map(({ targetPort }) => targetPort) ?? []),
        ...(spec?.ingress?.flatMap((rule) => rule.ports.map(({ port }) => port)) ?? []),
        ...(spec?.endpoints?.map(({ port }) => port) ?? []),
      ]);
      expect(usedPorts.filter((port) => !ports.has(port))).toEqual([]);
    });

    it('takes secrets only from Secrets that exist, and creates none', () => {
      expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
      const secret = /_URL$|SECRET/;
      for (const { spec } of podsOf(manifests)) {
        for (const { name, value } of spec.containers[0]?.env ?? []) {
          if (secret.test(name)) expect([name, value]).toEqual([name, undefined]);
        }
      }
    });
  });

  it('renders objects that Kubernetes, KEDA and the Prometheus operator know', () => {
    const manifests = [minimal, everything, bare].flatMap(renderChart);
    const deployment = manifests.find(({ kind }) => kind === 'Deployment');
    const scaled = manifests.find(({ kind }) => kind === 'ScaledObject');
    const wrong = [
      { ...deployment, spec: { ...deployment?.spec, replica: 2 } },
      { ...deployment, spec: { ...deployment?.spec, replicas: '2' } },
      { ...scaled, spec: { ...scaled?.spec, triggers: [{ metadata: {} }] } },
    ] as unknown as Manifest[];
    expect(problemsOfManifests([...manifests, ...wrong])).toEqual([
      expect.stringContaining('"replica"'),
      expect.stringContaining("Type 'string' is not assignable to type 'number'"),
      expect.stringContaining('required in type'),
    ]);
  });

  it('scales the API by processor time and the worker by the backlog', () => {
    const manifests = renderChart(everything);
    for (const name of ['api', 'worker']) {
      expect(find(manifests, 'Deployment', `shop-galley-${name}`)?.spec).not.toHaveProperty(
        'replicas',
      );
    }
    const scaled = find(manifests, 'ScaledObject', 'shop-galley-worker')?.spec;
    expect(scaled?.scaleTargetRef).toEqual({ name: 'shop-galley-worker' });
    expect(scaled?.triggers?.map(({ metadata }) => metadata['query'])).toEqual([
      'max(galley_deliveries_oldest_due_age_seconds{namespace="mail"})',
      'max(galley_deliveries{state="due",namespace="mail"})',
    ]);
  });

  it('names images by digest, or by the tag', () => {
    const imageOf = (manifests: Manifest[], name: string) =>
      find(manifests, 'Deployment', `shop-galley-${name}`)?.spec?.template?.spec.containers[0]
        ?.image;
    const manifests = renderChart(everything);
    expect(imageOf(manifests, 'api')).toBe(`galley/api@sha256:${'0'.repeat(64)}`);
    expect(imageOf(manifests, 'worker')).toBe('galley/worker:9.9.9');
  });

  it('has the alerts and boards of docker/, a backup, and the read timeout of nginx.conf', async () => {
    const manifests = renderChart(everything);
    const alerts = await readFile(join(CHART, '../../prometheus/alerts.yml'), 'utf8');
    expect(find(manifests, 'PrometheusRule', 'shop-galley')?.spec).toEqual(parse(alerts));
    const boards = manifests.filter(({ kind }) => kind === 'ConfigMap');
    expect(boards).toHaveLength(3);
    for (const board of boards as (Manifest & { data: Record<string, string> })[]) {
      expect(board.metadata.labels).toMatchObject({ grafana_dashboard: '1' });
      for (const [name, json] of Object.entries(board.data)) {
        const source = join(CHART, '../../grafana/dashboards', name);
        expect(JSON.parse(json)).toEqual(JSON.parse(await readFile(source, 'utf8')));
      }
    }
    expect(find(manifests, 'CronJob', 'shop-galley-backup')).toMatchObject({
      spec: { jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never' } } } } },
    });
    const nginx = await readFile(join(CHART, '../../nginx/nginx.conf'), 'utf8');
    const seconds = /proxy_read_timeout (\d+)s/.exec(nginx)?.[1];
    expect(find(manifests, 'Ingress', 'shop-galley')?.metadata.annotations).toMatchObject({
      'nginx.ingress.kubernetes.io/proxy-read-timeout': seconds,
    });
  });

  it('migrates before the programs are replaced, with no more than the database', () => {
    const manifests = renderChart(everything);
    const job = find(manifests, 'Job', 'shop-galley-migrate');
    expect(job?.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    const environment = environmentOf(manifests, 'Job', 'shop-galley-migrate');
    expect(environment['DATABASE_DIRECT_URL']).toEqual({
      name: 'more',
      key: 'DATABASE_DIRECT_URL',
    });
    expect(environment).not.toHaveProperty('SECRETS_KEYS');
    expect(environmentOf(manifests, 'Deployment', 'shop-galley-worker')).not.toHaveProperty(
      'AUTH_WEBHOOK_SECRET',
    );
  });

  it('denies calls to the metadata of clouds', () => {
    const policy = find(renderChart(minimal), 'NetworkPolicy', 'shop-galley')?.spec;
    expect(policy?.ingress).toBeUndefined();
    expect(policy?.egress?.[0]?.to.slice(0, 2)).toEqual([
      { ipBlock: { cidr: '0.0.0.0/0', except: ['169.254.0.0/16'] } },
      { ipBlock: { cidr: '::/0', except: ['fe80::/10', 'fd00:ec2::254/128'] } },
    ]);
  });

  it('writes large numbers as Galley reads them', () => {
    const environment = environmentOf(renderChart(everything), 'Deployment', 'shop-galley-api');
    expect(environment['MAX_BATCH_BYTES']).toBe('104857600');
  });

  it.each([
    [{}, 'AUTH_AUDIENCE'],
    [{ config: { ...minimal.config, TRASH_DAY: 1 } }, 'TRASH_DAY'],
    [{ ...minimal, secrets: { SECRETS_KEYS: { name: '' } } }, '/secrets/SECRETS_KEYS/name'],
    [{ ...minimal, worker: { terminationGracePeriodSeconds: 5 } }, 'terminationGracePeriodSeconds'],
    [{ ...bare, worker: { keda: { enabled: true } } }, 'set config.METRICS_PORT'],
    [{ ...minimal, backup: { enabled: true } }, 'backup.claimName'],
    [{ ...minimal, images: { digests: { api: 'latest' } } }, 'images/digests/api'],
  ])('refuses %j', (values, name) => {
    expect(() => renderChart(values)).toThrow(name);
  });
});

const values = parse(await readFile(join(CHART, 'values.yaml'), 'utf8')) as Record<string, object>;

it('values.yaml has every variable that Galley reads', () => {
  // The image and the health checks need their values of these; production refuses SAMPLE_RECEIVER_URL.
  const set = ['NODE_ENV', 'HOST', 'SAMPLE_RECEIVER_URL'];
  const readVariables = Object.values(variables).flatMap((group) => Object.keys(group));
  const settable = { ...values['config'], ...values['secrets'] };
  expect(Object.keys(settable)).toEqual(
    expect.arrayContaining(readVariables.filter((name) => !set.includes(name))),
  );
});

it('the README describes every value', async () => {
  const readme = await readFile(join(CHART, 'README.md'), 'utf8');
  const described = [...readme.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
  expect(described).toEqual(Object.keys(values));
});

it('the chart has the version of Galley', async () => {
  const chart = parse(await readFile(join(CHART, 'Chart.yaml'), 'utf8')) as {
    version: string;
  };
  const manifest = JSON.parse(
    await readFile(join(CHART, '../../../package.json'), 'utf8'),
  ) as object;
  // The tag of the images is appVersion.
  expect(chart).toMatchObject({ appVersion: chart.version });
  expect(manifest).toMatchObject({ version: chart.version });
});
