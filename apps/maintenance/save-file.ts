import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CommandError, messageOf } from './command.js';

/**
 * Writes a file that only its owner may read, because it contains personal data or documents. The file's name ends in
 * `.partial` until the content is complete and flushed to disk. An error or an interruption leaves no file behind. Only
 * SIGKILL leaves the `.partial` file, which the next run replaces.
 */
export async function saveFile(
  path: string,
  chunks: AsyncIterable<string | Buffer>,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const partialPath = `${path}.partial`;
  // A file left behind by an earlier run may have other permissions.
  await rm(partialPath, { force: true });
  const file = await open(partialPath, 'wx', 0o600).catch(throwUnwritable);
  let sourceError: unknown;
  const source = async function* () {
    try {
      yield* chunks;
    } catch (error) {
      sourceError = error;
      throw error;
    }
  };
  try {
    const output = createWriteStream(partialPath, { fd: file, flush: true });
    // A source that is waiting for PostgreSQL cannot be stopped, so an abort does not wait for the pipeline.
    await Promise.race([pipeline(source, output), rejectOnAbort(signal)]);
    await rename(partialPath, path);
    await syncFolderOf(path);
  } catch (error) {
    await rm(partialPath, { force: true });
    if (signal.aborted || error === sourceError) throw error;
    throwUnwritable(error);
  }
}

function throwUnwritable(error: unknown): never {
  throw new CommandError(`The file cannot be written: ${messageOf(error)}.`);
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** Makes the rename durable. Otherwise, a crash of the machine could undo the rename. */
async function syncFolderOf(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
