import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { probePort } from '../../../apps/standalone/ports.js';
import { eventually } from '../eventually.js';
import { canRunContainers, runContainer } from '../processes/container.js';
import { hasProgram } from '../processes/required-program.js';

const FILES = join(import.meta.dirname, '../../../docker/nginx');
/** The number of the user in the image of nginx. */
const USER = 101;

/** Whether this machine can run nginx as docker/compose.yml does. */
export const hasNginx = hasProgram('nginx', 'run apt-get install nginx-light.') && canRunContainers;

/**
 * nginx with the files of docker/nginx, a read-only root and without root. It differs from Compose in the ports,
 * and in the servers of `upstream.conf`: the APIs are at several ports of this machine, and nginx looks up the
 * names of servers again only since version 1.27.3.
 */
export class Nginx {
  private child!: ChildProcess;

  private constructor(
    private readonly folder: string,
    readonly url: string,
    readonly tlsUrl: string,
    readonly certificate: string,
  ) {}

  static async start(apiPorts: number[]): Promise<Nginx> {
    const folder = await mkdtemp(join(tmpdir(), 'galley-nginx-'));
    const [port, tlsPort] = [await probePort(0), await probePort(0)];
    const servers = apiPorts.map((apiPort) => `server 127.0.0.1:${apiPort}$1;`).join('\n');
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }]);
    for (const name of ['tls', 'certificate']) {
      await mkdir(join(folder, 'configuration', name), { recursive: true });
    }
    const write = (name: string, content: string) =>
      writeFile(join(folder, 'configuration', name), content);
    await write('nginx.conf', await readChanged('nginx.conf', 'listen 8080;', `listen ${port};`));
    await write('tls/tls.conf', await readChanged('tls.conf', 'listen 8443', `listen ${tlsPort}`));
    await write(
      'upstream.conf',
      await readChanged('upstream.conf', /server api:3000 resolve(.*);/, servers),
    );
    await write('certificate/tls.crt', cert);
    await write('certificate/tls.key', key);

    const url = `http://127.0.0.1:${port}`;
    const nginx = new Nginx(folder, url, `https://127.0.0.1:${tlsPort}`, cert);
    const test = await nginx.run('-t');
    const [status] = (await once(test, 'close')) as [number];
    const output = await nginx.readOutput();
    if (status !== 0 || /\[(warn|emerg)\]/.test(output)) throw new Error(output);
    nginx.child = await nginx.run('-g', 'daemon off;');
    await eventually('nginx', () => fetch(url).catch(() => undefined));
    return nginx;
  }

  private async run(...options: string[]): Promise<ChildProcess> {
    // nginx opens its output by name and as its own user, which works for such a file but not for the socket
    // of a child process.
    const output = await open(join(this.folder, 'output'), 'a');
    await output.chmod(0o666);
    const child = runContainer({
      user: USER,
      workdir: '/',
      mounts: { '/etc/nginx': join(this.folder, 'configuration') },
      temporaryFolder: '/tmp',
      command: ['nginx', ...options],
      environment: { PATH: '/usr/sbin:/usr/bin' },
      stdio: ['ignore', output.fd, output.fd],
    });
    await output.close();
    return child;
  }

  /** Everything that nginx has logged so far. */
  readonly readOutput = () => readFile(join(this.folder, 'output'), 'utf8');

  async stop(): Promise<void> {
    const exited = once(this.child, 'exit');
    // The signal with which Docker stops the image of nginx: it finishes its requests.
    this.child.kill('SIGQUIT');
    await exited;
    await rm(this.folder, { recursive: true });
  }
}

/** A file with one change, which must apply. */
async function readChanged(name: string, from: string | RegExp, to: string): Promise<string> {
  const original = await readFile(join(FILES, name), 'utf8');
  const changed = original.replace(from, to);
  if (changed === original) throw new Error(`${name} does not contain ${String(from)}.`);
  return changed;
}
