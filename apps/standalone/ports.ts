import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from './terminal.js';

/**
 * Checks that a port of the loopback address is free, by binding it for a moment, and returns the port. Port 0 selects
 * a free port.
 */
export async function probePort(port: number): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: boundPort } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return boundPort;
}

/** The first free port of the loopback address from `startAt` upwards, except `excludedPort`. */
export async function findFreePort(startAt: number, excludedPort?: number): Promise<number> {
  for (let port = startAt; ; port++) {
    if (port !== excludedPort && (await isPortFree(port))) {
      return port;
    }
  }
}

/**
 * A free port that no program is likely to take before Galley listens on it. On Linux, outgoing connections of all
 * programs get ports from 32768 upwards (ip(7)).
 */
export const findUnassignedPort = (): Promise<number> => findFreePort(randomInt(20_000, 32_000));

/** @throws the error of `listen`, unless the port is in use. */
async function isPortFree(port: number): Promise<boolean> {
  try {
    await probePort(port);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EADDRINUSE')) {
      return false;
    }
    throw error;
  }
}

/** @throws CliError if the port is not free within `timeoutMs`. */
export async function waitForFreePort(port: number, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      await probePort(port);
      return;
    } catch (error) {
      if (hasErrorCode(error, 'EACCES')) {
        throw new CliError(
          `You do not have permission to use port ${port}: set PORT to another port.`,
        );
      }
      if (!hasErrorCode(error, 'EADDRINUSE')) {
        throw error;
      }
      if (Date.now() >= deadline) {
        throw new CliError(
          `Port ${port} is in use: set PORT to a free port, as in PORT=3100 npm start`,
        );
      }
      await sleep(100);
    }
  }
}

export const hasErrorCode = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code;
