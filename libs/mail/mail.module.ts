import { Module, type DynamicModule } from '@nestjs/common';
import { MAIL_OPTIONS, Mailer, type MailOptions } from './mailer.js';

@Module({})
export class MailModule {
  static forRoot(options: MailOptions): DynamicModule {
    return {
      module: MailModule,
      global: true,
      providers: [Mailer, { provide: MAIL_OPTIONS, useValue: options }],
      exports: [Mailer],
    };
  }
}
