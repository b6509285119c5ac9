import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { probePort } from '../../apps/standalone/ports.js';
import { Program } from '../support/processes/program.js';
import { assess } from './audit.js';

const ADVISORY = {
  id: 1,
  url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
  title: 'Reads too much',
  severity: 'low',
  vulnerable_versions: '*',
};

let registry: Server;
let hasAdvisories = true;
let advisories: Record<string, object[]> = {};

beforeAll(async () => {
  registry = createServer((request, response) => {
    void text(request).then(() => {
      const isBulk = hasAdvisories && request.url?.endsWith('/advisories/bulk');
      response.writeHead(isBulk ? 200 : 405, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isBulk ? advisories : {}));
    });
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  registry.close();
});

async function run(
  script: string | readonly [script: string, argument: string],
  port: number,
  environment: Record<string, string> = {},
): Promise<[code: number | null, output: string]> {
  const program = new Program(process.execPath, [script].flat(), {
    NODE_OPTIONS: '',
    npm_config_registry: `http://127.0.0.1:${port}`,
    ...environment,
  });
  const [code] = await program.exited;
  return [code, program.output];
}

it('the audit fails for an advisory that has no exception', async () => {
  const { port } = registry.address() as AddressInfo;
  expect(await run('test/supply-chain/audit.ts', port)).toEqual([
    0,
    expect.stringContaining('No production dependency'),
  ]);
  advisories = { fastify: [ADVISORY] };
  expect(await run('test/supply-chain/audit.ts', port)).toEqual([
    1,
    expect.stringContaining('fastify: Reads too much'),
  ]);
});

it('the audit fails if nothing was checked, unless AUDIT_UNCHECKED allows a registry without advisories', async () => {
  const { port } = registry.address() as AddressInfo;
  const allowed = { AUDIT_UNCHECKED: 'allow' };
  hasAdvisories = false;
  expect(await run('test/supply-chain/audit.ts', port)).toEqual([
    3,
    expect.stringMatching(/NOT CHECKED.*405/),
  ]);
  expect(await run('test/supply-chain/audit.ts', port, { AUDIT_UNCHECKED: 'yes' })).toEqual([
    3,
    expect.anything(),
  ]);
  expect(await run('test/supply-chain/audit.ts', port, allowed)).toEqual([
    0,
    expect.stringContaining('NOT CHECKED'),
  ]);
  // A registry that does not respond may have advisories.
  expect(await run('test/supply-chain/audit.ts', await probePort(0), allowed)).toEqual([
    1,
    expect.stringMatching(/NOT CHECKED.*ECONNREFUSED/),
  ]);
});

it('an exception needs a reason and an advisory, and ends', () => {
  const report = {
    vulnerabilities: { fastify: { via: [{ ...ADVISORY, name: 'fastify' }, 'undici'] } },
  };
  const now = new Date('2026-11-26');
  const exception = {
    advisory: 'GHSA-aaaa-bbbb-cccc',
    reason: 'Galley never reads.',
    until: '2026-11-26',
  };
  expect(assess(report, [exception], now)).toEqual([]);
  expect(assess(report, [{ ...exception, reason: ' ' }], now)).toHaveLength(1);
  expect(assess(report, [{ ...exception, until: '2026-11-25' }], now)).toHaveLength(1);
  expect(assess({ vulnerabilities: {} }, [exception], now)).toHaveLength(1);
  expect(assess({}, [exception], now)).toBeUndefined();
});

it('the SBOM names every production dependency, and neither a registry nor this machine', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'galley-sbom-'));
  const output = join(directory, 'sbom.cdx.json');
  expect(await run(['docker/sbom.ts', output], await probePort(0))).toEqual([
    0,
    expect.stringMatching(/\d+ packages/),
  ]);
  const json = readFileSync(output, 'utf8');
  rmSync(directory, { recursive: true });
  const sbom = JSON.parse(json) as {
    bomFormat: string;
    metadata: { component: { name: string } };
    components: { 'bom-ref': string; purl: string; hashes: object[]; licenses?: object[] }[];
  };
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { version: string; dev?: boolean }>;
  };
  const expected = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`);
  const named = sbom.components.map((component) => component['bom-ref']);
  expect([...named].sort()).toEqual([...new Set(expected)].sort());
  for (const name of Object.keys(dependencies)) {
    expect(named.some((reference) => reference.startsWith(`${name}@`))).toBe(true);
  }
  expect([sbom.bomFormat, sbom.metadata.component.name]).toEqual(['CycloneDX', 'galley']);
  for (const { purl, hashes } of sbom.components) {
    expect([purl.startsWith('pkg:npm/'), hashes.length]).toEqual([true, 1]);
  }
  expect(json).not.toMatch(/127\.0\.0\.1|localhost|registry/);
  if (basename(process.cwd()) !== 'galley') expect(json).not.toContain(basename(process.cwd()));
});
