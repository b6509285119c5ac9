import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from './terminal.js';

/**
 * Listens on a port of the loopback address for an instant, and tells which it was.
 * Port 0 finds a free one.
 *
 * @throws the error of `listen`, such as EADDRINUSE.
 */
export async function tryPort(port: number): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: found } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return found;
}

/** The first free port of the loopback address from `first` upwards that is not `taken`. */
export async function firstFreePort(first: number, taken: number): Promise<number> {
  for (let port = first; ; port++) {
    if (port !== taken && (await isFree(port))) {
      return port;
    }
  }
}

/** @throws the error of `listen` when it is another one than that the port is in use. */
async function isFree(port: number): Promise<boolean> {
  try {
    await tryPort(port);
    return true;
  } catch (error) {
    if (isErrno(error, 'EADDRINUSE')) {
      return false;
    }
    throw error;
  }
}

/** @throws Problem unless the port is or becomes free within `patienceMs`. */
export async function claimPort(port: number, patienceMs: number): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      await tryPort(port);
      return;
    } catch (error) {
      if (isErrno(error, 'EACCES')) {
        throw new Problem(`Port ${port} needs more rights than you have: set PORT to another one.`);
      }
      if (!isErrno(error, 'EADDRINUSE')) {
        throw error;
      }
      if (Date.now() >= deadline) {
        throw new Problem(
          `Port ${port} is in use: set PORT to a free one, as in PORT=3100 npm start`,
        );
      }
      await sleep(100);
    }
  }
}

export const isErrno = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code;
