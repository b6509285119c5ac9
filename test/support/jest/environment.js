import { ModernFakeTimers } from '@jest/fake-timers';
import { TestEnvironment } from 'jest-environment-node';
import { ModuleMocker } from 'jest-mock';

/**
 * Runs tests outside Jest's VM context. In that context, each use of a global such as `Math` passes an interceptor of
 * Node.js, which makes some code forty times slower, and no module is shared between files. Jest itself stays there.
 */
export default class MainRealmEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    // For example, `expect.any(Number)` compares with Number itself.
    for (const name of Object.getOwnPropertyNames(globalThis)) {
      const value = globalThis[name];
      if (/^[A-Z]/.test(name) && typeof value === 'function') this.global[name] = value;
    }
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({
      config: config.projectConfig,
      global: globalThis,
    });
  }

  async setup() {
    // Jest has installed a function that does not know the source maps of `typescript-hooks.js`.
    delete Error.prepareStackTrace;
    process.setSourceMapsEnabled(true);
  }

  handleTestEvent({ name }) {
    if (name === 'test_start') globalThis.hasTestFailed = false;
    if (name === 'test_fn_failure' || name === 'hook_failure') globalThis.hasTestFailed = true;
  }
}
