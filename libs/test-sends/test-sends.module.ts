import { Module, type DynamicModule } from '@nestjs/common';
import { TEST_SEND_RECIPIENTS, TestSends } from './test-sends.js';

@Module({})
export class TestSendsModule {
  /**
   * @param rendering the module that renders. The program has one, because the module has threads and a cache.
   * @param recipients the allow-list of the operator: addresses, and domains such as `@example.com`, in lower case.
   */
  static forRoot(rendering: DynamicModule, recipients: readonly string[]): DynamicModule {
    return {
      module: TestSendsModule,
      imports: [rendering],
      providers: [TestSends, { provide: TEST_SEND_RECIPIENTS, useValue: recipients }],
      exports: [TestSends],
    };
  }
}
