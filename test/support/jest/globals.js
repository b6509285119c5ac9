/** Stands for the package `@jest/globals`, which Node.js cannot load. `test-runner.js` sets these for each file. */
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } =
  globalThis[Symbol.for('@jest/globals')];
