import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Program } from '../../support/processes/program.js';

const PROGRAMS = ['api', 'worker', 'migrate', 'standalone'];
const VERSION_ERROR =
  /^Galley needs Node\.js 22\.19 or a later 22, or 24\.11 or later, but this is .*\n$/;

/** A command that runs this Node.js, which then reports another version. */
const nodeCommandFor = (version: string) => [
  process.execPath,
  '--import',
  `data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"${version}"}})`,
];

/** The machine's Node.js if it is an old one; npm puts the project's Node.js first in the PATH. */
const oldNode = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((directory) => join(directory, 'node'))
  .find((node) => existsSync(node) && /^v(1\d|20|21)\./.test(versionOf(node)));

function versionOf(node: string): string {
  return execFileSync(node, ['--version'], { encoding: 'utf8' });
}

async function run([command = '', ...args]: string[], program: string) {
  // A program that accepts this Node.js reports that DATABASE_URL is not set or that PORT is invalid, and
  // exits.
  const environment = { DATABASE_URL: '', NODE_OPTIONS: '', PORT: 'none' };
  const child = new Program(command, [...args, `dist/apps/${program}/main.js`], environment);
  // Unlike `exited`, the event `close` waits for all output.
  const [code] = (await once(child.child, 'close')) as [number | null];
  return { code, output: child.output };
}

describe.each(PROGRAMS)('%s', (program) => {
  const unsupportedVersions = ['18.20.8', '20.20.2', '21.7.3', '22.18.0', '23.11.1', '24.10.0'];
  it.each(unsupportedVersions)('on Node.js %s, says which version it needs', async (version) => {
    const result = await run(nodeCommandFor(version), program);
    expect([result.code, result.output]).toEqual([1, expect.stringMatching(VERSION_ERROR)]);
  });

  it.each(['22.19.0', '24.11.0', '26.0.0'])('runs on Node.js %s', async (version) => {
    const { output } = await run(nodeCommandFor(version), program);
    expect(output).not.toMatch(VERSION_ERROR);
    expect(output).toMatch(/DATABASE_URL is not set|PORT must be/);
  });

  (oldNode ? it : it.skip)(
    'says which version it needs on the old Node.js of this machine',
    async () => {
      const result = await run([oldNode ?? ''], program);
      expect([result.code, result.output]).toEqual([1, expect.stringMatching(VERSION_ERROR)]);
    },
  );

  it('imports nothing before the check', async () => {
    const text = await readFile(`dist/apps/${program}/main.js`, 'utf8');
    expect(text.match(/^import .*/gm)).toEqual([
      "import { requireNodeVersion } from '#node-version';",
      "import { endOnSignals } from '#signals';",
    ]);
    for (const lib of ['node-version', 'signals']) {
      expect(await readFile(`dist/libs/${lib}/index.js`, 'utf8')).not.toMatch(/^import/m);
    }
  });
});

it('every program handles signals before it loads anything else', async () => {
  const withVersionCheck: string[] = [];
  for await (const path of glob('apps/*/*.ts')) {
    const text = await readFile(path, 'utf8');
    if (!/^requireNodeVersion\(\);/m.test(text)) continue;
    withVersionCheck.push(path);
    expect([path, text]).toEqual([
      path,
      expect.stringMatching(/^endOnSignals\(\);\nrequireNodeVersion/m),
    ]);
  }
  expect(withVersionCheck.length).toBeGreaterThanOrEqual(10);
});

it('package.json has the same range', async () => {
  const { engines } = JSON.parse(await readFile('package.json', 'utf8')) as { engines: object };
  expect(engines).toEqual({ node: '^22.19.0 || >=24.11.0' });
});
