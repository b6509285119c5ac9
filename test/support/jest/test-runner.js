import { pathToFileURL } from 'node:url';
import circus from 'jest-circus/runner';
import './typescript-hooks.js';

let files = 0;

if (process.env.SEED) await import('./property-seed.js');

/**
 * Jest's own test runner, but Node.js loads the modules. Those of `apps`, `libs` and packages are loaded once for
 * all files of a worker. Those of `test` and `*.spec.ts` are loaded again for each file, because they call `it` and
 * `afterAll`.
 */
export default function runTests(globalConfig, config, environment, runtime, testPath, ...others) {
  const query = `?file=${++files}`;
  runtime.unstable_shouldLoadAsEsm = () => true;
  runtime.unstable_importModule = (path) => {
    globalThis[Symbol.for('@jest/globals')] = runtime.requireModuleOrMock(path, '@jest/globals');
    return import(pathToFileURL(path) + query);
  };
  return circus.default(globalConfig, config, environment, runtime, testPath, ...others);
}
