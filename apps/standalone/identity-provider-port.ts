import { join } from 'node:path';
import type { DataDirectory } from './data-directory.js';
import { firstFreePort, isFree } from './ports.js';
import { Problem } from './terminal.js';

const FILE = 'identity-provider-port';
// The API's and the worker's default ports come before it.
const FIRST_PORT = 3002;

/**
 * The port of the identity provider, chosen at the first start: it is part of the issuer, and users
 * are known by issuer and subject, which outlive a restart.
 *
 * @throws Problem when the port is taken by now.
 */
export async function identityProviderPort(
  dataDirectory: DataDirectory,
  apiPort: number,
): Promise<number> {
  const kept = await dataDirectory.keep(FILE, async () =>
    String(await firstFreePort(FIRST_PORT, apiPort)),
  );
  const port = Number(kept);
  if (port === apiPort) {
    throw new Problem(
      `Port ${port} is where the identity provider of ${dataDirectory.path} listens: set PORT to another one.`,
    );
  }
  if (!(await isFree(port))) {
    throw new Problem(
      `Port ${port}, where the identity provider of ${dataDirectory.path} listens, is in use: stop what uses it. Or remove ${join(dataDirectory.path, FILE)}, and another port is chosen; but then everybody is a new user, without the workspaces of before.`,
    );
  }
  return port;
}
