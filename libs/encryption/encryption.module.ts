import { Module, type DynamicModule } from '@nestjs/common';
import { Encryption, type EncryptionKeys } from './encryption.js';

@Module({})
export class EncryptionModule {
  static forRoot(keys: EncryptionKeys): DynamicModule {
    return {
      module: EncryptionModule,
      global: true,
      providers: [{ provide: Encryption, useFactory: () => new Encryption(keys) }],
      exports: [Encryption],
    };
  }
}
