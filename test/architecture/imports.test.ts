import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

// The violations are planted in a copy, so that nothing else that looks at the sources sees them.
let copy: string;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'galley-imports-'));
  for (const name of ['apps', 'libs', 'package.json', 'tsconfig.json', '.dependency-cruiser.cjs']) {
    await cp(name, join(copy, name), { recursive: true });
  }
  await symlink(resolve('node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rm(copy, { recursive: true, force: true }));

interface Run {
  code: number | null;
  output: string;
}

const run = (program: string, args: string[]): Promise<Run> =>
  new Promise((resolve) => {
    const path = join('node_modules', '.bin', program);
    const child = execFile(path, args, { cwd: copy }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, output: stdout + stderr }),
    );
  });

const checkImports = () =>
  run('depcruise', ['apps', 'libs', '--config', '.dependency-cruiser.cjs']);

async function withPlanted(path: string, source: string, check: () => Promise<Run>): Promise<Run> {
  await writeFile(join(copy, path), source);
  try {
    return await check();
  } finally {
    await rm(join(copy, path));
  }
}

describe('the directions of imports', () => {
  it('hold', async () => {
    expect(await checkImports()).toMatchObject({ code: 0 });
  });

  it.each([
    ['templates-imports', 'libs/templates/planted.ts', "export { Modules } from '#modules';"],
    ['modules-imports', 'libs/modules/planted.ts', "export { Endpoints } from '#webhooks';"],
    ['database-imports', 'libs/database/planted.ts', "export { Users } from '#identity';"],
    ['apps-apart', 'apps/api/planted.ts', "export { Loop } from '../worker/loop.js';"],
    ['through-the-index', 'apps/api/planted.ts', "export * from '../../libs/queue/backend.js';"],
    ['bullmq-in-queue-alone', 'libs/webhooks/planted.ts', "export { Queue } from 'bullmq';"],
    ['no-sql-and-no-queue-in-controllers', 'apps/api/planted.ts', "export { Pool } from 'pg';"],
    ['resolvable', 'libs/events/planted.ts', "export * from '#nothing';"],
  ])('%s: a planted violation is found', async (rule, path, source) => {
    const { code, output } = await withPlanted(path, source, checkImports);
    expect(output).toContain(`error ${rule}: ${path}`);
    expect(code).not.toBe(0);
  });
});

describe('the type of a write', () => {
  it('takes events or a reason, and nothing that leaves them out', async () => {
    const taken = ["withEvents('done', made)", "noEvent('done', 'a test')"];
    const refused = [
      "'done'",
      "noEvent('done')",
      "withEvents('done')",
      "({ result: 'done', events: [made] })",
      "event('module.deleted', 1, { id: '' })",
    ];
    const head = [
      "import { noEvent, withEvents, type UnitOfWork } from '#database';",
      "import { event } from '#events';",
      "const made = event('module.deleted', 1, { id: '', name: '', workspaceId: '', category: '' });",
      'export const helpers = [noEvent, withEvents, made];',
    ];
    const writes = [...taken, ...refused].map(
      (result, index) =>
        `export const write${index} = (unit: UnitOfWork) => unit.write(async () => ${result});`,
    );
    const source = [...head, ...writes].join('\n');
    const { output } = await withPlanted('libs/templates/planted.ts', source, async () => {
      const config = { extends: './tsconfig.json', include: ['libs/templates/planted.ts'] };
      await writeFile(join(copy, 'planted.json'), JSON.stringify(config));
      return run('tsc', ['--noEmit', '--incremental', 'false', '--project', 'planted.json']);
    });
    const lines = [...output.matchAll(/^libs\/templates\/planted\.ts\((\d+),/gm)];
    const firstRefused = head.length + taken.length + 1;
    expect(new Set(lines.map(([, line]) => Number(line)))).toEqual(
      new Set(refused.map((_, index) => firstRefused + index)),
    );
  });
});
