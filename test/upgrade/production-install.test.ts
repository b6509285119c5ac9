import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { probePort } from '../../apps/standalone/ports.js';
import { eventually } from '../support/eventually.js';
import { createDatabase } from '../support/galley/database.js';
import { Program } from '../support/processes/program.js';

// What docker/README.md says to copy, and what npm needs.
const PATHS = ['package.json', 'package-lock.json', 'dist', 'docs', 'README.md'];

// The installation takes a minute, so only `npm run test:upgrade` runs this test.
(process.env['UPGRADE'] === 'true' ? it : it.skip)(
  'a build runs elsewhere, without development packages',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'galley-production-'));
    const database = await createDatabase('template0');
    const programs: Program[] = [];
    try {
      for (const path of [...PATHS, 'libs/client/README.md']) {
        await cp(path, join(folder, path), { recursive: true });
      }
      const install = ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'];
      execFileSync('npm', install, { cwd: folder, stdio: 'pipe' });
      const ports = { PORT: await probePort(0), WORKER_PORT: await probePort(0) };
      const environment = {
        NODE_ENV: 'production',
        DATABASE_URL: database.url,
        REDIS_URL: '',
        SECRETS_KEYS: randomBytes(32).toString('base64'),
        AUTH_ISSUER: 'https://identity.example.com',
        AUTH_AUDIENCE: 'galley',
        PORT: String(ports.PORT),
        WORKER_PORT: String(ports.WORKER_PORT),
      };
      const start = (name: string) => {
        const main = join(folder, `dist/apps/${name}/main.js`);
        const program = new Program(process.execPath, [main], environment);
        programs.push(program);
        return program;
      };
      const migrate = start('migrate');
      const [code] = await migrate.exited;
      expect([code, migrate.output]).toEqual([0, expect.stringContaining('Ran ')]);
      start('api');
      start('worker');
      for (const port of Object.values(ports)) {
        await eventually(
          `port ${port} to be ready`,
          () =>
            fetch(`http://127.0.0.1:${port}/health/ready`).then(
              ({ ok }) => ok,
              () => false,
            ),
          { timeout: 60_000 },
        );
      }
    } finally {
      for (const program of programs) program.killGroup();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    }
  },
  300_000,
);
