import { spawn, spawnSync, type ChildProcess, type StdioOptions } from 'node:child_process';
import { join } from 'node:path';

const SCRIPT = join(import.meta.dirname, 'container.sh');
// Root becomes the user of the image. Anyone else is, outside of a new namespace, that user already.
const isRoot = process.getuid?.() === 0;
const UNSHARE = ['--mount', ...(isRoot ? [] : ['--map-root-user']), 'sh', SCRIPT];

interface Container {
  /** The number of the user, which is not root. */
  user: number;
  workdir: string;
  /** Folders and files of this machine, by their paths in the container. */
  mounts: Record<string, string>;
  /** The only folder that the command may write to. */
  temporaryFolder?: string;
  command: string[];
  environment: Record<string, string>;
  stdio?: StdioOptions;
}

/**
 * Runs a command with a read-only root, without capabilities and as another user than root, as the containers
 * of docker/compose.yml run. It shares the network of this machine.
 */
export function runContainer(container: Container): ChildProcess {
  const { user, workdir, mounts, temporaryFolder = '-', command, environment, stdio } = container;
  const volumes = Object.entries(mounts).map(([target, source]) => `${source}:${target}`);
  const args = [isRoot ? String(user) : '-', temporaryFolder, workdir, ...volumes, '--'];
  return spawn('unshare', [...UNSHARE, ...args, ...command], { env: environment, stdio });
}

/** Whether the kernel of this machine lets this user run containers. */
export const canRunContainers =
  spawnSync('unshare', [...UNSHARE, isRoot ? '1000' : '-', '-', '/', '--', 'true']).status === 0;
