import swcOptions from '../../support/jest/swc-options.js';

/**
 * The project `unit` in Jest's own environment: each run loads the modules again, and so the code of a module that
 * Stryker has mutated. Stryker runs one project. The tests are those of an area (`areas.ts`).
 */
export default {
  rootDir: '../../..',
  roots: ['<rootDir>/libs'],
  testMatch: ['**/*.spec.ts'],
  // Resolves the subpath imports (`#database`) to sources, as tsconfig.json does.
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', { jsc: swcOptions.jsc }] },
};
