import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Row, SkippedRow } from './figures.js';

const FILE = 'node_modules/.cache/bench/unfinished-run.json';

type Parts = Record<string, readonly (Row | SkippedRow)[]>;

/**
 * The parts of a whole run that have been measured. A run takes more than an hour, and must not be lost with the part
 * that fails.
 */
export class UnfinishedRun {
  private constructor(
    private readonly machine: readonly string[],
    readonly parts: Parts,
  ) {}

  static begin(machine: readonly string[]): UnfinishedRun {
    return new UnfinishedRun(machine, {});
  }

  /** @throws Error if there is no unfinished run of this build on this machine. */
  static async resume(machine: readonly string[]): Promise<UnfinishedRun> {
    const { machine: earlier, parts } = JSON.parse(await readFile(FILE, 'utf8')) as {
      machine: string[];
      parts: Parts;
    };
    if (String(earlier) !== String(machine)) {
      throw new Error(`The unfinished run is of another build or machine:\n${earlier.join('\n')}`);
    }
    return new UnfinishedRun(machine, parts);
  }

  async add(part: string, rows: Parts[string]): Promise<void> {
    this.parts[part] = rows;
    await mkdir(dirname(FILE), { recursive: true });
    await writeFile(FILE, JSON.stringify({ machine: this.machine, parts: this.parts }));
  }

  end(): Promise<void> {
    return rm(FILE, { force: true });
  }
}
