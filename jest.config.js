import { join } from 'node:path';

// The tests start hundreds of programs. A program loads modules that are compiled already with a third less processor
// time. Programs of the tests inherit the variable.
const modules = join(import.meta.dirname, 'node_modules');
process.env.NODE_COMPILE_CACHE ??= join(modules, '.cache/node-compile-cache');

const shared = {
  testEnvironment: '<rootDir>/test/support/jest/environment.js',
  testRunner: '<rootDir>/test/support/jest/test-runner.js',
  // Node.js loads the tests and what they import (test/support/jest/typescript-hooks.js).
  transform: {},
};

/** @type {import('jest').Config} */
export default {
  // A few tests wait for a real retry or for a claim to run out, and a busy machine is no fault.
  testTimeout: 180_000,
  // Enough for two processors, since most tests mostly wait; some need a processor in time.
  maxWorkers: 3,
  // Jest keeps a part of each file's modules in memory. Above this, collecting garbage takes longer than a new process.
  workerIdleMemoryLimit: '700MB',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      roots: ['<rootDir>/apps', '<rootDir>/docker', '<rootDir>/libs', '<rootDir>/test'],
      testMatch: ['**/*.spec.ts'],
    },
    {
      ...shared,
      displayName: 'api',
      roots: ['<rootDir>/test/api'],
      testMatch: ['**/*.test.ts'],
      globalSetup: '<rootDir>/test/support/setup/api-setup.js',
      globalTeardown: '<rootDir>/test/support/setup/api-teardown.js',
    },
    {
      ...shared,
      displayName: 'system',
      roots: ['<rootDir>/test'],
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: ['<rootDir>/test/(api|browser)/'],
      globalSetup: '<rootDir>/test/support/setup/system-setup.js',
      globalTeardown: '<rootDir>/test/support/setup/system-teardown.js',
    },
    {
      ...shared,
      displayName: 'browser',
      roots: ['<rootDir>/test/browser'],
      testMatch: ['**/*.test.ts'],
      globalSetup: '<rootDir>/test/browser/support/global-setup.js',
      globalTeardown: '<rootDir>/test/browser/support/global-teardown.js',
    },
  ],
};
