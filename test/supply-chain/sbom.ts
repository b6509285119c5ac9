/*
 * `npm run sbom` writes dist/sbom.cdx.json: the production dependencies in CycloneDX, from the lockfile. A
 * release has the file beside it.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
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

const OUTPUT = 'dist/sbom.cdx.json';
const ARGUMENTS = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application'];

const lockfile = JSON.parse(await readFile('package-lock.json', 'utf8')) as Lockfile;
// From the lockfile alone: the SBOM then has no addresses of the registry that a machine installs from.
const { stdout } = await promisify(execFile)('npm', [...ARGUMENTS, '--package-lock-only'], {
  maxBuffer: 64 * 1024 * 1024,
});
const sbom = JSON.parse(stdout) as Sbom;

// `npm sbom --omit=dev` also leaves out production packages that some package has among its
// devDependencies, about a quarter of Galley's. So the lockfile decides what is for production.
const production = new Set(
  Object.entries(lockfile.packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(
      ([path, { name, version }]) => `${name ?? path.replace(/.*node_modules\//, '')}@${version}`,
    ),
);
sbom.components = sbom.components.filter((component) => production.has(component['bom-ref']));
sbom.dependencies = sbom.dependencies
  .filter(({ ref }) => production.has(ref) || ref.startsWith(`${lockfile.name}@`))
  .map(({ ref, dependsOn = [] }) => ({
    ref,
    dependsOn: dependsOn.filter((to) => production.has(to)),
  }));
// npm writes the name of the folder.
sbom.metadata.component.name = lockfile.name;

await mkdir('dist', { recursive: true });
await writeFile(OUTPUT, `${JSON.stringify(sbom, null, 2)}\n`);
process.stdout.write(`${OUTPUT} names ${sbom.components.length} packages.\n`);
