import { Module, type DynamicModule } from '@nestjs/common';
import { Encryption } from './encryption.js';
import { KeyRing } from './key-ring.js';

@Module({})
export class EncryptionModule {
  /** @param ring the keys. No key encrypts new values until `KeyRotation` activates one. */
  static forRoot(ring: KeyRing): DynamicModule {
    return {
      module: EncryptionModule,
      global: true,
      providers: [
        { provide: KeyRing, useValue: ring },
        { provide: Encryption, useFactory: () => new Encryption(ring) },
      ],
      exports: [Encryption, KeyRing],
    };
  }
}
