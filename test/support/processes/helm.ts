import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { hasProgram } from './required-program.js';

export const CHART = join(import.meta.dirname, '../../../docker/helm/galley');
export const hasHelm = hasProgram('helm', 'run .ci/install-helm with a folder of PATH.');

type Labels = Record<string, string>;

/** The parts of Kubernetes objects that tests look at. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Labels; annotations?: Labels };
  spec?: {
    replicas?: number;
    selector?: Labels & { matchLabels?: Labels };
    podSelector?: { matchLabels: Labels };
    template?: PodTemplate;
    jobTemplate?: { spec: { template: PodTemplate } };
    ports?: { name: string; targetPort: string }[];
    scaleTargetRef?: { name: string };
    triggers?: { metadata: Labels }[];
    endpoints?: { port: string }[];
    egress?: { to: { ipBlock?: { cidr: string; except?: string[] } }[] }[];
    ingress?: { ports: { port: string }[] }[];
    rules?: { http: { paths: { backend: { service: { name: string } } }[] } }[];
  };
}

interface PodTemplate {
  metadata: { labels: Labels };
  spec: PodSpec;
}

interface PodSpec {
  serviceAccountName: string;
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds?: number;
  securityContext: object;
  volumes?: object[];
  containers: {
    name: string;
    image: string;
    securityContext: object;
    volumeMounts?: object[];
    env: { name: string; value?: string; valueFrom?: { secretKeyRef: Labels } }[];
    ports?: { name: string; containerPort: number }[];
    resources: object;
    lifecycle?: object;
    [probe: `${string}Probe`]: { httpGet: { path: string; port: string } };
  }[];
}

function helm(args: string[], values: object): string {
  const options = { input: stringify(values), encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync('helm', [...args, '--values', '-'], options);
  if (status !== 0) throw new Error(stdout + stderr);
  return stdout;
}

/** Checks the chart as Helm does. Throws what Helm finds. */
export const lintChart = (values: object) => helm(['lint', '--strict', CHART], values);

/** What Helm would install, hooks included. */
export const renderChart = (values: object): Manifest[] =>
  parseAllDocuments(helm(['template', 'shop', CHART, '--namespace', 'mail'], values)).flatMap(
    (document) => (document.toJS() as Manifest | null) ?? [],
  );
