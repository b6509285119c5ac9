/*
 * `npm run sbom` writes dist/sbom.cdx.json, or the file of its argument: the production dependencies in CycloneDX, from the lockfile. A
 * release has the file beside it. Each image has an SBOM of its own (`prune.ts`).
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

interface Lockfile {
  name: string;
  packages: Record<string, { name?: string; version?: string; dev?: boolean }>;
}

interface Sbom {
  metadata: { component: { name: string } };
  components: { 'bom-ref': string }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

const ARGUMENTS = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application'];

if (import.meta.main) {
  const output = process.argv[2] ?? 'dist/sbom.cdx.json';
  await mkdir(dirname(output), { recursive: true });
  const count = await writeSbom(output, await productionPackages());
  process.stdout.write(`${output} names ${count} packages.\n`);
}

/**
 * Where the lockfile has the production packages, such as node_modules/pg. `npm sbom --omit=dev` also leaves out
 * production packages that some package has among its devDependencies, about a quarter of Galley's.
 */
export async function productionPackages(): Promise<Set<string>> {
  const { packages } = await readLockfile();
  return new Set(Object.keys(packages).filter((path) => path !== '' && !packages[path]?.dev));
}

/** Writes the SBOM of packages of the lockfile, and returns how many it names. */
export async function writeSbom(output: string, paths: ReadonlySet<string>): Promise<number> {
  const lockfile = await readLockfile();
  // From the lockfile alone: the SBOM then has no addresses of the registry that a machine installs from.
  const { stdout } = await promisify(execFile)('npm', [...ARGUMENTS, '--package-lock-only'], {
    maxBuffer: 64 * 1024 * 1024,
  });
  const sbom = JSON.parse(stdout) as Sbom;
  const named = new Set(
    [...paths].map((path) => {
      const { name = path.replace(/.*node_modules\//, ''), version } =
        lockfile.packages[path] ?? {};
      return `${name}@${version}`;
    }),
  );
  sbom.components = sbom.components.filter((component) => named.has(component['bom-ref']));
  sbom.dependencies = sbom.dependencies
    .filter(({ ref }) => named.has(ref) || ref.startsWith(`${lockfile.name}@`))
    .map(({ ref, dependsOn = [] }) => ({
      ref,
      dependsOn: dependsOn.filter((to) => named.has(to)),
    }));
  // npm writes the name of the folder.
  sbom.metadata.component.name = lockfile.name;
  await writeFile(output, `${JSON.stringify(sbom, null, 2)}\n`);
  return sbom.components.length;
}

async function readLockfile(): Promise<Lockfile> {
  return JSON.parse(await readFile('package-lock.json', 'utf8')) as Lockfile;
}
