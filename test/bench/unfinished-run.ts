import { existsSync } from 'node:fs';
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

  /** @returns undefined if there is no unfinished run of this commit on this machine. */
  static async resume(machine: readonly string[]): Promise<UnfinishedRun | undefined> {
    if (!existsSync(FILE)) return undefined;
    const earlier = JSON.parse(await readFile(FILE, 'utf8')) as {
      machine: string[];
      parts: Parts;
    };
    const build = String(machine);
    const isSame = String(earlier.machine) === build && !/with changes|no commit/.test(build);
    return isSame ? new UnfinishedRun(machine, earlier.parts) : undefined;
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
