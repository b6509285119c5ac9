export { EncryptionModule } from './encryption.module.js';
export { Encryption } from './encryption.js';
