import { join } from 'node:path';
import ts from 'typescript';
import type { Manifest } from './helm.js';

// Types that are generated from the OpenAPI document of Kubernetes and the definitions of KEDA and the operator.
const PACKAGES: Record<string, string> = {
  'keda.sh': '@kubernetes-models/keda/',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator/',
};
// No file: TypeScript looks for packages from here.
const FILE = join(import.meta.dirname, 'manifests.ts');
const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.NodeNext,
  types: [],
};

/** What Kubernetes would not accept: unknown and missing fields, and values of another type. */
export function problemsOfManifests(manifests: Manifest[]): string[] {
  const program = ts.createProgram([FILE], OPTIONS, hostOf(manifests.map(declare).join('')));
  return ts.getPreEmitDiagnostics(program).map(({ messageText, start = 0, file }) => {
    const line = file?.text.slice(0, start).split('\n').length ?? 0;
    const near = file?.text.split('\n')[line - 1] ?? '';
    return `${ts.flattenDiagnosticMessageText(messageText, '\n')}, at ${near.trim().slice(0, 100)}`;
  });
}

/** A literal, since TypeScript looks for unknown fields only in literals. */
function declare(manifest: Manifest, index: number): string {
  const { apiVersion, kind } = manifest;
  const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
  const path = `${PACKAGES[group] ?? 'kubernetes-models/'}${apiVersion}/${kind}`;
  const type = `import(${JSON.stringify(path)}).I${kind}`;
  return `export const manifest${index}: ${type} = ${JSON.stringify(manifest, undefined, 1)};\n`;
}

function hostOf(source: string): ts.CompilerHost {
  const host = ts.createCompilerHost(OPTIONS);
  return {
    ...host,
    fileExists: (name) => name === FILE || host.fileExists(name),
    getSourceFile: (name, version) =>
      name === FILE
        ? ts.createSourceFile(name, source, version)
        : host.getSourceFile(name, version),
  };
}
