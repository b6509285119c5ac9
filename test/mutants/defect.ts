/** A defect that `npm run test:mutants` plants in a copy of Galley, and the tests that must find it. */
export interface Defect {
  /** The effect of the defect, in plain words. */
  name: string;
  /** The source file that the defect changes. */
  file: string;
  /** A text that occurs exactly once in the file. */
  text: string;
  replacement: string;
  /** The test files that must fail, each of them. */
  tests: string[];
  /** Runs only the tests whose name matches this regular expression. */
  pattern?: string;
  /** A variable that the tests need. The defect is skipped without it. */
  needs?: 'DATABASE_URL' | 'REDIS_URL';
}
