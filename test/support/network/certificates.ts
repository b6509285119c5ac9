import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from 'selfsigned';

const OPTIONS = { keyType: 'ec', algorithm: 'sha256' } as const;

/** A certificate authority. Its certificate is in a file, as programs need it. */
export class CertificateAuthority {
  private constructor(
    readonly file: string,
    private readonly ca: { cert: string; key: string },
  ) {}

  static async create(folder: string, name: string): Promise<CertificateAuthority> {
    const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
      ...OPTIONS,
      extensions: [
        { name: 'basicConstraints', cA: true, critical: true },
        { name: 'keyUsage', keyCertSign: true, critical: true },
      ],
    });
    const file = join(folder, `${name}.pem`);
    await writeFile(file, cert);
    return new CertificateAuthority(file, { cert, key });
  }

  /** Issues a certificate for a host, or for a client with this common name. */
  async issue(name: string): Promise<{ cert: string; key: string }> {
    const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
      ...OPTIONS,
      ca: this.ca,
      extensions: [
        { name: 'basicConstraints', cA: false },
        { name: 'subjectAltName', altNames: [{ type: 2, value: name }] },
      ],
    });
    return { cert, key };
  }
}
