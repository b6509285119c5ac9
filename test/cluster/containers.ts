import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import {
  chmod,
  chown,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomInt } from 'node:crypto';
import { parse } from 'yaml';
import {
  resolveServerAccount,
  type ServerAccount,
} from '../../apps/standalone/postgres/server-account.js';

const DOCKER = join(import.meta.dirname, '../../docker');
const PROXY = 9;
// Debian keeps PostgreSQL's programs apart from others, by version.
const POSTGRES_PROGRAMS = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1) ?? '';
const PATH = [POSTGRES_PROGRAMS, '/usr/local/bin', '/usr/sbin', '/usr/bin', '/bin'].join(':');

const VERSION_COMMANDS: Record<string, string[]> = {
  'postgresql-15': ['postgres', '--version'],
  patroni: ['patroni', '--version'],
  'etcd-server': ['etcd', '--version'],
  haproxy: ['haproxy', '-v'],
  'redis-server': ['redis-server', '--version'],
};

/** What each engine says about itself, by its package. Undefined for engines that are not installed. */
const versions = () =>
  Object.entries(VERSION_COMMANDS).map(([name, [program = '', ...args]]) => {
    const { stdout } = spawnSync(program, args, { env: { PATH }, encoding: 'utf8' });
    return { name, version: /\d+(\.\d+)+/.exec(stdout)?.[0] };
  });

/** Debian's packages that the engines need and this machine does not have. */
export const missingPackages = (): string[] =>
  versions().flatMap(({ name, version }) => (version === undefined ? [name] : []));

export const engineVersions = (): string =>
  versions()
    .map(({ name, version }) => `${name} ${version}`)
    .join(', ');

interface Service {
  command?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  healthcheck?: { test: string[] };
}

/**
 * Runs the services of docker/cluster/compose.yml without containers: their commands, variables and files, with
 * addresses of this machine instead of names, and folders of the test instead of volumes. Each machine of the cluster
 * has an address of its own, so all ports stay as they are.
 */
export class Containers {
  private readonly children = new Map<string, ChildProcess>();
  private readonly network = `127.${randomInt(1, 255)}.${randomInt(1, 255)}`;

  private constructor(
    private readonly folder: string,
    private readonly services: Record<string, Service>,
    private readonly account: ServerAccount,
    private readonly password: string,
  ) {}

  static async prepare(folder: string, password: string): Promise<Containers> {
    const file = await readFile(join(DOCKER, 'cluster/compose.yml'), 'utf8');
    const { services } = parse(file, { merge: true, logLevel: 'error' }) as {
      services: Record<string, Service>;
    };
    await chmod(folder, 0o755);
    const account = await resolveServerAccount(join(folder, 'data'), '/usr/bin/env');
    return new Containers(folder, services, account, password);
  }

  /** The address of a service. */
  addressOf(service: string): string {
    return `${this.network}.${/-(\d)$/.exec(service)?.[1] ?? PROXY}`;
  }

  /** What Compose would set for a service of Galley, such as `api`. */
  variable(service: string, name: string): string {
    return this.localise(service, this.services[service]?.environment?.[name] ?? '');
  }

  async start(...services: string[]): Promise<void> {
    for (const service of services) {
      await this.mount(service);
      const { command = [] } = this.services[service] ?? {};
      const log = await open(join(this.folder, `${service}.log`), 'a');
      // The kernel ends the service together with the test.
      const { file, args, options } = this.account.wrapCommand('setpriv', [
        '--pdeathsig=KILL',
        ...command.map((word) => this.localise(service, word)),
      ]);
      const child = spawn(file, args, {
        ...options,
        cwd: this.rootOf(service),
        env: this.environmentOf(service),
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
      });
      await log.close();
      this.children.set(service, child);
    }
  }

  isHealthy(service: string): boolean {
    const [, file = '', ...args] = this.services[service]?.healthcheck?.test ?? [];
    const words = args.map((word) => this.localise(service, word));
    return spawnSync(file, words, { env: { PATH } }).status === 0;
  }

  /** Kills all processes of a service at once. */
  async kill(service: string): Promise<void> {
    const child = this.children.get(service);
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    await this.signal(service, 'SIGKILL');
    await exited;
  }

  /**
   * Sends a signal to all processes of a service. PostgreSQL's are no children of Patroni, but the current folder of
   * all is the service's, or one in it.
   */
  async signal(service: string, signal: NodeJS.Signals): Promise<void> {
    const root = `${this.rootOf(service)}/`;
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const folders = await Promise.all(
      pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')),
    );
    for (const [index, pid] of pids.entries()) {
      if (!`${folders[index]}/`.startsWith(root)) continue;
      try {
        process.kill(Number(pid), signal);
      } catch {
        // The process has ended, because its parent has.
      }
    }
  }

  async stop(): Promise<void> {
    for (const service of this.children.keys()) await this.kill(service);
  }

  private rootOf(service: string): string {
    // Not the name itself, which `localise` would replace.
    return join(this.folder, service.replace('-', ''));
  }

  private environmentOf(service: string): Record<string, string> {
    const variables = Object.entries(this.services[service]?.environment ?? {});
    return {
      PATH,
      LC_ALL: 'C.UTF-8',
      ...Object.fromEntries(
        variables.map(([name, value]) => [name, this.localise(service, value)]),
      ),
    };
  }

  /** Makes the folders and the files that Compose would mount. */
  private async mount(service: string): Promise<void> {
    const { uid, gid } = this.account.ids;
    const make = async (folder: string) => {
      await mkdir(folder, { recursive: true });
      await chown(folder, uid, gid);
    };
    await make(this.rootOf(service));
    for (const volume of this.services[service]?.volumes ?? []) {
      const [source = '', target = ''] = volume.split(':');
      const path = join(this.rootOf(service), target);
      if (source.startsWith('./')) {
        await make(dirname(path));
        const text = await readFile(join(DOCKER, source), 'utf8');
        await writeFile(path, this.localise(service, text));
      } else {
        await make(path);
      }
    }
  }

  private localise(service: string, text: string): string {
    const paths = (this.services[service]?.volumes ?? []).map(
      (volume) => volume.split(':')[1] ?? '',
    );
    const located = paths
      .toSorted((one, other) => other.length - one.length)
      .reduce((all, path) => all.replaceAll(path, join(this.rootOf(service), path)), text);
    return located
      .replaceAll(/\b(?:etcd|postgres|redis|sentinel)-\d\b/g, (name) => this.addressOf(name))
      .replaceAll(/\b(?:0\.0\.0\.0|127\.0\.0\.1)\b/g, this.addressOf(service))
      .replaceAll('${POSTGRES_PASSWORD}', this.password)
      .replaceAll('$$', '$');
  }
}
