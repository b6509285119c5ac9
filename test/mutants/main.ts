/*
 * `npm run test:mutants` plants one defect at a time in a copy of Galley, and expects that the tests of the
 * defect fail. Words as arguments select the defects whose name or file contains one of them.
 */
import { join } from 'node:path';
import type { Defect } from './defect.ts';
import { defects } from './defects.ts';
import { findFailedTest } from './run-tests.ts';
import { createScratchCopy, type ScratchCopy } from './scratch-copy.ts';

type Outcome = 'killed' | 'survived' | 'error' | 'skipped';

const words = process.argv.slice(2).map((word) => word.toLowerCase());
const selected = defects.filter(({ name, file }) => {
  const searched = `${name} ${file}`.toLowerCase();
  return words.length === 0 || words.some((word) => searched.includes(word));
});

const outcomes: [outcome: Outcome, name: string][] = [];
const scratch = await createScratchCopy(join(import.meta.dirname, '../..'));
try {
  for (const defect of selected) {
    const start = performance.now();
    const [outcome, detail] = await tryDefect(scratch, defect);
    const seconds = ((performance.now() - start) / 1_000).toFixed(1).padStart(6);
    print(`${outcome.padEnd(8)} ${seconds} s  ${defect.name}\n${' '.repeat(19)}${detail}`);
    outcomes.push([outcome, defect.name]);
  }
} finally {
  await scratch.remove();
}
const namesOf = (wanted: Outcome) =>
  outcomes.filter(([outcome]) => outcome === wanted).map(([, name]) => name);
print(`\n${namesOf('killed').length} of ${selected.length} defects were found.`);
for (const outcome of ['survived', 'error', 'skipped'] as const) {
  for (const name of namesOf(outcome)) print(`${outcome}: ${name}`);
}
process.exitCode = namesOf('survived').length + namesOf('error').length > 0 ? 1 : 0;

async function tryDefect(copy: ScratchCopy, defect: Defect): Promise<[Outcome, string]> {
  const { needs, tests } = defect;
  if (needs && !process.env[needs]) return ['skipped', `${needs} is not set.`];
  try {
    const restore = await copy.plant(defect);
    const failedTest = await findFailedTest(copy.directory, defect).finally(restore);
    if (failedTest === undefined) return ['survived', `No test fails in ${tests.join()}.`];
    return ['killed', failedTest];
  } catch (error) {
    return ['error', (error as Error).message];
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
