import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from '@jest/globals';
import { retiredWords } from './retired-words.js';

const GENERATED = ['libs/client/{generated,document,dist}/**', 'node_modules/**', 'dist/**'];
const MAX_FILES_IN_FOLDER = 15;

const filesOf = (...patterns: string[]) => globSync(patterns, { exclude: GENERATED });

it('no text uses a retired word (test/architecture/retired-words.ts)', () => {
  const pattern = new RegExp(String.raw`(?<!\w)(?:${retiredWords.join('|')})\b`, 'i');
  const files = filesOf(
    '{apps,libs,test,docs,docker}/**/*.{ts,tsx,js,md,sql,yml}',
    '.github/**/*.{md,yml}',
    '*.{md,js,cjs}',
    '.env.example',
  );
  const findings = files
    .filter((file) => file !== 'test/architecture/retired-words.ts')
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .map((line, index) => `${file}:${index + 1}: ${line.trim()}`)
        .filter((line) => pattern.test(line)),
    );
  expect(findings).toEqual([]);
});

it('a folder has at most fifteen source files', () => {
  const counts = new Map<string, number>();
  for (const file of filesOf('{apps,libs,test}/**/*.{ts,tsx}')) {
    if (/\.spec\.ts$|\/migrations\//.test(file)) continue;
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  }
  expect([...counts].filter(([, count]) => count > MAX_FILES_IN_FOLDER)).toEqual([]);
});

it('no source file is empty', () => {
  const isEmpty = (file: string) => readFileSync(file, 'utf8').trim() === '';
  expect(filesOf('{apps,libs,test,docker}/**/*.{ts,tsx,js}').filter(isEmpty)).toEqual([]);
});

it('the files that ARCHITECTURE.md, CONTRIBUTING.md, docs/internals and the ADRs name exist', () => {
  const pages = filesOf('{ARCHITECTURE,CONTRIBUTING}.md', 'docs/{adr,internals}/**/*.md');
  const missing = pages.flatMap((page) =>
    Array.from(readFileSync(page, 'utf8').matchAll(/`((?:apps|libs|test|docs|docker)\/[^`\s]*)`/g))
      .map(([, path = '']) => path)
      .filter((path) => !/[…<]/.test(path) && globSync(path).length === 0)
      .map((path) => `${page}: ${path}`),
  );
  expect(missing).toEqual([]);
});
