/*
 * `npm run test:mutants:generated` mutates the pure functions of each area with Stryker, and expects that unit
 * tests find at least 85 % of the mutants in each area. Words as arguments select the areas and files whose
 * name contains one of them.
 */
import { globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { areas, type Area } from './areas.ts';

type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

const MIN_SCORE = 85;

const words = process.argv.slice(2).map((word) => word.toLowerCase());
// The copy of the checkout is not in the checkout, whose tools would find it.
const directory = await mkdtemp(join(tmpdir(), 'galley-mutants-'));
const summary: string[] = [];
try {
  for (const area of areas) {
    const files = selectedFilesOf(area);
    if (files.length === 0) continue;
    const start = performance.now();
    const mutants = await mutate(area, files);
    const seconds = Math.round((performance.now() - start) / 1_000);
    summary.push(summarise(area, mutants, seconds));
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}
if (summary.length === 0)
  throw new Error(`No area and no file has ${words.join(' or ')} in its name.`);
process.stdout.write(`\n${summary.join('\n')}\n`);

function selectedFilesOf({ name, sources }: Area): string[] {
  return globSync(sources)
    .filter((file) => !file.endsWith('.spec.ts'))
    .filter((file) => {
      const searched = `${name} ${file}`.toLowerCase();
      return words.length === 0 || words.some((word) => searched.includes(word));
    });
}

/** Prints the mutants that survive, and a table of the files. */
function mutate({ tests, hasTexts }: Area, files: string[]): Promise<MutantResult[]> {
  const stryker = new Stryker({
    configFile: join(import.meta.dirname, 'stryker.config.js'),
    mutate: files,
    mutator: { excludedMutations: hasTexts ? ['StringLiteral'] : [] },
    jest: { config: { testMatch: tests.map((glob) => `<rootDir>/${glob}`) } },
    tempDirName: directory,
  });
  return stryker.runMutationTest();
}

/** A line for an area. The command fails if its score is too low. */
function summarise({ name }: Area, mutants: readonly MutantResult[], seconds: number): string {
  const count = (...statuses: MutantResult['status'][]) =>
    mutants.filter(({ status }) => statuses.includes(status)).length;
  const killed = count('Killed', 'Timeout');
  const all = killed + count('Survived', 'NoCoverage');
  const score = (100 * killed) / all;
  if (score < MIN_SCORE) process.exitCode = 1;
  const verdict = score < MIN_SCORE ? ` FAILED: less than ${MIN_SCORE} %` : '';
  return `${score.toFixed(1).padStart(5)} % ${String(killed).padStart(4)} of ${String(all).padEnd(4)} ${String(seconds).padStart(5)} s  ${name}${verdict}`;
}
