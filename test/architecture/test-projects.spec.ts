import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

// A type is gone when the test runs, and `#client` is what callers of the API import.
const INSIDE =
  /^import (?!type ).*'(?:#(?!client')|.*\/(?:apps|libs|dist)\/|.*\/galley\/galley\.js|.*\/processes\/)/ms;
const STARTS_PLAINLY = /\bstartGalley\(\)/;
const LOOKS_INSIDE =
  /\bgalley\.(?!js\b|url\b|anonymous\b|clientFor\b|createWorkspaceFor\b|stop\b)\w+|\{[^}]*\} = galley\b/;
const STARTS_WITH_OPTIONS = /\bstartGalley\((?!\))/;

const importsOf = (source: string) => source.match(/^import [^;]+;/gm) ?? [];
const testsIn = (folder: string) =>
  globSync(`test/${folder}/**/*.test.ts`).map(
    (file) => [file, readFileSync(file, 'utf8')] as const,
  );

it('tests in test/api use the shared API as its callers do: they import nothing of its inside', () => {
  const findings = testsIn('api').flatMap(([file, source]) =>
    importsOf(source)
      .filter((statement) => INSIDE.test(statement))
      .map((statement) => `${file}: ${statement}`),
  );
  expect(findings).toEqual([]);
});

it('a test that only speaks HTTP is in test/api', () => {
  const misplaced = testsIn('system').filter(
    ([, source]) =>
      STARTS_PLAINLY.test(source) &&
      !STARTS_WITH_OPTIONS.test(source) &&
      !LOOKS_INSIDE.test(source) &&
      // Functions of test/support that get the whole Galley may look inside.
      !/[(,] ?galley[,)]/.test(source.replaceAll('signInUsers(galley', '')) &&
      !importsOf(source).some((each) => /^import (?!type ).*'#(?!client')/s.test(each)),
  );
  expect(misplaced.map(([file]) => file)).toEqual([]);
});
