import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

// The violations are planted in a copy, so that no other check of the sources sees them.
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

async function withPlanted(
  sources: Record<string, string>,
  check: () => Promise<Run>,
): Promise<Run> {
  const files = Object.entries(sources).map(
    ([path, source]) => [join(copy, path), source] as const,
  );
  await Promise.all(files.map(([path]) => mkdir(dirname(path), { recursive: true })));
  await Promise.all(files.map(([path, source]) => writeFile(path, source)));
  try {
    return await check();
  } finally {
    await Promise.all(files.map(([path]) => rm(path)));
  }
}

// `npm run check:imports` shows that the sources obey the rules.
describe('the import rules', () => {
  it('find violations', async () => {
    const violations = {
      'documents-imports': ['libs/documents/one.ts', "export { Publishing } from '#publishing';"],
      'json-imports': ['libs/json/one.ts', "export { Endpoints } from '#webhooks';"],
      'database-imports': ['libs/database/one.ts', "export { Users } from '#identity';"],
      'apps/api/auth-imports': [
        'apps/api/auth/one.ts',
        "export * from '../health/health.responses.js';",
      ],
      'apps/api/pages-imports': ['apps/api/pages/one.ts', "export * from '../graceful-stop.js';"],
      'libs/documents/write-imports': [
        'libs/documents/write/one.ts',
        "export * from '../versions/label-version.js';",
      ],
      'libs/documents-folders': ['libs/documents/new/one.ts', "export * from '../tags/tags.js';"],
      'libs/rendering/personalisation-imports': [
        'libs/rendering/personalisation/one.ts',
        "export * from '../drawing/index.js';",
      ],
      'rendering-doors': [
        'libs/rendering/checks/one.ts',
        "export * from '../drawing/mjml/drawing.js';",
      ],
      'libs/webhooks/sending-imports': [
        'libs/webhooks/sending/one.ts',
        "export * from '../history/delivery.js';",
      ],
      'settings-use-the-client-alone': [
        'apps/settings/one.ts',
        "export { Documents } from '#documents';",
      ],
      'apps-apart': ['apps/api/one.ts', "export { PurgeLoop } from '../worker/purge-loop.js';"],
      'through-the-index': ['apps/api/two.ts', "export * from '../../libs/queue/backend.js';"],
      'bullmq-in-queue-alone': ['libs/webhooks/one.ts', "export { Queue } from 'bullmq';"],
      'ioredis-in-redis-alone': ['libs/webhooks/two.ts', "export { Redis } from 'ioredis';"],
      'no-sql-and-no-queue-in-controllers': ['apps/api/three.ts', "export { Pool } from 'pg';"],
      resolvable: ['libs/events/one.ts', "export * from '#nothing';"],
    };
    const { code, output } = await withPlanted(
      Object.fromEntries(Object.values(violations)) as Record<string, string>,
      () => run('depcruise', ['apps', 'libs', '--config', '.dependency-cruiser.cjs']),
    );
    const found = [...output.matchAll(/error (\S+): (\S+)/g)].map(([, rule, path]) => [rule, path]);
    expect(found).toEqual(
      expect.arrayContaining(Object.entries(violations).map(([rule, [path]]) => [rule, path])),
    );
    expect(code).not.toBe(0);
  });
});

describe('the type of a write', () => {
  it('requires events or a reason', async () => {
    const taken = ["withEvents('done', made)", "noEvent('done', 'a test')"];
    const refused = [
      "'done'",
      "noEvent('done')",
      "withEvents('done')",
      "({ result: 'done', events: [made] })",
      "createEvent('module.deleted', 1, { id: '' })",
    ];
    const head = [
      "import { noEvent, withEvents, type UnitOfWork } from '#database';",
      "import { createEvent } from '#events';",
      "const made = createEvent('module.deleted', 1, { id: '', name: '', workspaceId: '', externalId: null, category: '', version: 1 });",
      'export const helpers = [noEvent, withEvents, made];',
    ];
    const writes = [...taken, ...refused].map(
      (result, index) =>
        `export const write${index} = (unit: UnitOfWork) => unit.write(async () => ${result});`,
    );
    const source = [...head, ...writes].join('\n');
    const { output } = await withPlanted({ 'libs/documents/planted.ts': source }, async () => {
      const config = { extends: './tsconfig.json', include: ['libs/documents/planted.ts'] };
      await writeFile(join(copy, 'planted.json'), JSON.stringify(config));
      return run('tsc', ['--noEmit', '--incremental', 'false', '--project', 'planted.json']);
    });
    const lines = [...output.matchAll(/^libs\/documents\/planted\.ts\((\d+),/gm)];
    const firstRefused = head.length + taken.length + 1;
    expect(new Set(lines.map(([, line]) => Number(line)))).toEqual(
      new Set(refused.map((_, index) => firstRefused + index)),
    );
  });
});
