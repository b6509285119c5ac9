import { accessSync, constants, existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { hasErrorCode } from './ports.js';
import { CliError } from './terminal.js';
import { writeAtomically } from './write-atomically.js';

/** The URLs at which the parts of Galley listen. They are stored in the data directory for other programs. */
export interface ServiceUrls {
  api: string;
  worker: string;
  apiMetrics: string;
  workerMetrics: string;
  identityProvider: string;
  sampleReceiver: string;
  mailCatcher: string;
  databaseUrl: string;
}

const SQLITE_BUSY = 5;

/** The path of the data directory, from DATA_DIR. The directory holds everything that must survive a restart. */
export const dataDirectoryPath = (): string => resolve(process.env['DATA_DIR'] || '.data');

/** The data directory. This process holds the lock until `release` is called or the process ends. */
export class DataDirectory {
  readonly path: string;
  /** Whether the previous run was killed. If so, its programs may still be running. */
  readonly hadUncleanShutdown: boolean;
  readonly #lock: DatabaseSync;

  constructor(path: string) {
    try {
      mkdirSync(path, { recursive: true });
      this.path = realpathSync(path);
      accessSync(this.path, constants.W_OK);
      // SQLite locks files with fcntl, and the kernel releases such a lock however the process ends. A PID file could
      // be left behind, and could then name an unrelated process.
      this.#lock = new DatabaseSync(join(this.path, 'lock'));
      this.#lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    } catch (error) {
      throw toLockError(path, error);
    }
    this.hadUncleanShutdown = existsSync(serviceUrlsPath(this.path));
  }

  /**
   * Reads a generated setting from its file. The first call creates the file. Only the owner can read the file, because
   * the setting may be a secret.
   */
  async readOrCreate(name: string, create: () => string | Promise<string>): Promise<string> {
    const file = join(this.path, name);
    if (!existsSync(file)) {
      await writeAtomically(file, await create());
    }
    return readFile(file, 'utf8');
  }

  async markStarting(): Promise<void> {
    await writeAtomically(serviceUrlsPath(this.path), '{}\n');
  }

  async markReady(urls: ServiceUrls): Promise<void> {
    await writeAtomically(serviceUrlsPath(this.path), `${JSON.stringify(urls, null, 2)}\n`);
  }

  /** Records that the run has stopped cleanly, and releases the lock. */
  release(): void {
    rmSync(serviceUrlsPath(this.path), { force: true });
    this.#lock.close();
  }
}

/** @throws CliError if Galley is not running with this data directory, or is not ready yet. */
export async function readServiceUrls(dataDir: string): Promise<ServiceUrls> {
  const notRunningMessage = `No running Galley uses the data directory ${dataDir}. Run npm start with the same DATA_DIR first.`;
  let text: string;
  try {
    text = await readFile(serviceUrlsPath(dataDir), 'utf8');
  } catch (error) {
    throw hasErrorCode(error, 'ENOENT') ? new CliError(notRunningMessage) : error;
  }
  const urls = JSON.parse(text) as Partial<ServiceUrls>;
  if (urls.identityProvider === undefined) {
    throw new CliError('Galley is not ready yet: try again in a moment.');
  }
  return urls as ServiceUrls;
}

const serviceUrlsPath = (dataDir: string): string => join(dataDir, 'standalone.json');

function toLockError(path: string, error: unknown): CliError {
  const { errcode, message } = error as Error & { errcode?: number };
  return new CliError(
    errcode === SQLITE_BUSY
      ? `Galley is already running with its data in ${path}: stop it first, or set DATA_DIR to another directory.`
      : `The data directory ${path} cannot be used (${message}): make it writable, or set DATA_DIR to another directory.`,
  );
}
