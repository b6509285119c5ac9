import { accessSync, constants, existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { hasErrorCode } from './ports.js';
import { CliError } from './terminal.js';

/** The addresses of the running parts of Galley. */
export interface ServiceUrls {
  api: string;
  worker: string;
  identityProvider: string;
  databaseUrl: string;
}

const SQLITE_BUSY = 5;

/** The directory from the environment. Everything that outlives a stop is in it. */
export const dataDirectoryPath = (): string => resolve(process.env['DATA_DIR'] || '.data');

/** The data directory, locked by this process until the process ends. */
export class DataDirectory {
  readonly path: string;
  /** Whether the previous run was killed, so that its programs may still be running. */
  readonly hadUncleanShutdown: boolean;
  readonly #lock: DatabaseSync;

  constructor(path: string) {
    try {
      mkdirSync(path, { recursive: true });
      this.path = realpathSync(path);
      accessSync(this.path, constants.W_OK);
      // SQLite locks with fcntl: the kernel releases the lock however this process ends. A PID file can be
      // left behind, and can name an unrelated process.
      this.#lock = new DatabaseSync(join(this.path, 'lock'));
      this.#lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    } catch (error) {
      throw toLockError(path, error);
    }
    this.hadUncleanShutdown = existsSync(serviceUrlsPath(this.path));
  }

  /**
   * Reads the generated settings of this installation. Only the owner can read the file: much of it is
   * secret.
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

  /** Records a clean stop, and releases the directory. */
  release(): void {
    rmSync(serviceUrlsPath(this.path), { force: true });
    this.#lock.close();
  }
}

/** @throws Problem if no Galley with this data directory is running. */
export async function readServiceUrls(dataDir: string): Promise<ServiceUrls> {
  const notRunningMessage = `Galley is not running with its data in ${dataDir}: run npm start first (and set DATA_DIR as it has it).`;
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

/** Renamed into place, so that a reader, or the next start after a kill, finds a whole file or none. */
async function writeAtomically(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

function toLockError(path: string, error: unknown): CliError {
  const { errcode, message } = error as Error & { errcode?: number };
  return new CliError(
    errcode === SQLITE_BUSY
      ? `Galley is already running with its data in ${path}: stop it first, or set DATA_DIR to another directory.`
      : `The data directory ${path} cannot be used (${message}): make it writable, or set DATA_DIR to another directory.`,
  );
}
