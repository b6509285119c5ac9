import { createHash } from 'node:crypto';

/** A line of an export. `kind` identifies the content of the line. */
export type ExportLine = Record<string, unknown> & { kind: string };

/** The number of lines of each kind, and their digest. */
export type Digests = Record<string, { count: number; sha256: string }>;

const MODULUS = 2n ** 256n;

/**
 * Computes a digest for each kind of line: the sum of the SHA-256 hashes of the lines, modulo 2^256. The digest
 * therefore does not depend on the order of the lines, which differs after an import with new ids.
 */
export class ExportDigest {
  private readonly sums = new Map<string, { count: number; sum: bigint }>();

  add(line: ExportLine): void {
    const hash = createHash('sha256').update(JSON.stringify(line)).digest('hex');
    const { count, sum } = this.sums.get(line.kind) ?? { count: 0, sum: 0n };
    this.sums.set(line.kind, { count: count + 1, sum: (sum + BigInt(`0x${hash}`)) % MODULUS });
  }

  digests(): Digests {
    return Object.fromEntries(
      [...this.sums]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([kind, { count, sum }]) => [
          kind,
          { count, sha256: sum.toString(16).padStart(64, '0') },
        ]),
    );
  }
}
