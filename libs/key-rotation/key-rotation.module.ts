import { Module, type DynamicModule } from '@nestjs/common';
import { EncryptionModule, KeyRing } from '#encryption';
import { KeyRotation, PROGRAM_NAME } from './key-rotation.js';

@Module({})
export class KeyRotationModule {
  /**
   * @param program the name under which the program registers.
   * @param keys the keys in SECRETS_KEYS, in the same order.
   */
  static forRoot(program: string, keys: readonly Buffer[]): DynamicModule {
    return {
      module: KeyRotationModule,
      global: true,
      imports: [EncryptionModule.forRoot(new KeyRing(keys))],
      providers: [KeyRotation, { provide: PROGRAM_NAME, useValue: program }],
      exports: [KeyRotation],
    };
  }
}
