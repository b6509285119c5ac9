import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Secrets } from './secrets.js';

const secretsWith = (secretsKey: Buffer) => new Secrets({ secretsKey, oldSecretsKeys: [] });

describe('secrets', () => {
  const secrets = secretsWith(randomBytes(32));
  const secret = secrets.generate();

  it('come back as they were, and look different each time they are encrypted', () => {
    const [first, second] = [secrets.encrypt(secret, 'a'), secrets.encrypt(secret, 'a')];
    expect(first).not.toBe(second);
    expect(secrets.decrypt(first, 'a')).toBe(secret);
  });

  it('belong to one endpoint', () => {
    expect(() => secrets.decrypt(secrets.encrypt(secret, 'a'), 'b')).toThrow();
  });

  it('cannot be changed unnoticed', () => {
    const [keyId, sealed = ''] = secrets.encrypt(secret, 'a').split('.');
    const bytes = Buffer.from(sealed, 'base64');
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    expect(() => secrets.decrypt(`${keyId}.${bytes.toString('base64')}`, 'a')).toThrow();
  });

  it('say so when the key is another', () => {
    const encrypted = secrets.encrypt(secret, 'a');
    expect(() => secretsWith(randomBytes(32)).decrypt(encrypted, 'a')).toThrow(
      'another SECRETS_KEY',
    );
  });

  it('are readable with an earlier key', () => {
    const [earlier, current] = [randomBytes(32), randomBytes(32)];
    const encrypted = secretsWith(earlier).encrypt(secret, 'a');
    const both = new Secrets({ secretsKey: current, oldSecretsKeys: [earlier] });
    expect(both.decrypt(encrypted, 'a')).toBe(secret);
    expect(secretsWith(current).decrypt(both.encrypt(secret, 'a'), 'a')).toBe(secret);
  });
});
