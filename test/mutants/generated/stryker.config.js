/**
 * The options that all areas share; `main.ts` adds the others.
 * @type {import('@stryker-mutator/core').PartialStrykerOptions}
 */
export default {
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  coverageAnalysis: 'perTest',
  jest: { projectType: 'custom', configFile: 'test/mutants/generated/jest.config.js' },
  // Stryker cannot copy the links to folders in the Helm chart.
  ignorePatterns: ['dist', 'docker'],
  cleanTempDir: 'always',
  // Added to the time that the tests take without a mutant. Most mutants that take longer never end.
  timeoutMS: 3_000,
  reporters: process.stdout.isTTY ? ['clear-text', 'progress'] : ['clear-text'],
  clearTextReporter: { allowEmojis: false, logTests: false, reportTests: false },
  logLevel: 'warn',
  warnings: { slow: false },
  // `main.ts` compares the scores of the areas.
  thresholds: { high: 95, low: 85, break: null },
};
