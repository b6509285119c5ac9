import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { findCommit } from './write-commit.js';

const environment = { PATH: process.env['PATH'] };
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-commit-'));
});
afterEach(() => rm(folder, { recursive: true }));

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();

it('the build names the commit of the checkout, and says if files were changed', async () => {
  git('init', '--quiet');
  await writeFile(join(folder, 'file'), '1');
  git('add', 'file');
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  git(...author, 'commit', '--quiet', '--message=first');
  const commit = git('rev-parse', '--short=10', 'HEAD');
  expect(findCommit(folder, environment)).toBe(commit);
  await writeFile(join(folder, 'file'), '2');
  expect(findCommit(folder, environment)).toBe(`${commit}-dirty`);
});

it('a build without .git takes the commit from GIT_COMMIT', () => {
  const full = '0123456789abcdef0123456789abcdef01234567';
  expect(findCommit(folder, { ...environment, GIT_COMMIT: full })).toBe('0123456789');
  expect(findCommit(folder, { ...environment, GIT_COMMIT: 'v1.2.3-4-g0123456' })).toBe(
    'v1.2.3-4-g0123456',
  );
});

it('a build succeeds without Git, and with an invalid GIT_COMMIT', () => {
  expect(findCommit(folder, environment)).toBe('');
  expect(findCommit(folder, { PATH: '/nowhere' })).toBe('');
  expect(findCommit(folder, { ...environment, GIT_COMMIT: 'a\r\nb: c' })).toBe('');
});
