import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Defect } from './defect.ts';

const TIMEOUT_MS = 120_000;

/** The part of Jest's `--json` that counts. */
interface Report {
  testResults: {
    name: string;
    /** Why a file failed, also if Jest could not run it. */
    message: string;
    assertionResults: { fullName: string; status: 'passed' | 'failed' | 'pending' | 'todo' }[];
  }[];
}

/**
 * Runs the tests of a defect.
 * @returns the name of the first failed test; undefined if all tests of a file pass.
 * @throws if Jest could not run the tests, or found none.
 */
export async function findFailedTest(
  directory: string,
  { tests, pattern }: Pick<Defect, 'tests' | 'pattern'>,
): Promise<string | undefined> {
  const output = join(directory, 'jest-results.json');
  await rm(output, { force: true });
  const child = spawn(
    process.execPath,
    [
      'node_modules/jest/bin/jest.js',
      '--selectProjects',
      ...new Set(tests.map(projectOf)),
      ...(pattern === undefined ? [] : ['--testNamePattern', pattern]),
      `--outputFile=${output}`,
      '--json',
      '--runTestsByPath',
      ...tests,
    ],
    { cwd: directory, stdio: ['ignore', 'ignore', 'pipe'], timeout: TIMEOUT_MS },
  );
  const [log] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  const json = await readFile(output, 'utf8').catch(() => {
    throw new Error(`Jest could not run the tests.\n${log}`);
  });
  const { testResults } = JSON.parse(json) as Report;
  if (testResults.length < tests.length) throw new Error('A test file does not exist.');
  const failed = testResults.map(({ name, message, assertionResults }) => {
    if (!assertionResults.some(({ status }) => status === 'passed' || status === 'failed')) {
      throw new Error(`No test ran in ${name}.\n${message}`);
    }
    return assertionResults.find(({ status }) => status === 'failed')?.fullName;
  });
  return failed.includes(undefined) ? undefined : failed[0];
}

function projectOf(test: string): string {
  if (test.endsWith('.spec.ts')) return 'unit';
  return test.startsWith('test/api/') ? 'api' : 'system';
}
