import { probePort } from '../../../apps/standalone/ports.js';
import { eventually } from '../eventually.js';
import { Program } from './program.js';

export interface GalleyProgram {
  program: Program;
  url: string;
  /** The status of `/health/ready`; 0 while nothing listens. */
  readiness: () => Promise<number>;
}

/** The API or the worker in a process of its own, as in production. */
export async function startProgram(
  name: 'api' | 'worker',
  environment: Record<string, string>,
  fixedPort?: number,
): Promise<GalleyProgram> {
  const port = String(fixedPort ?? (await probePort(0)));
  const program = new Program(process.execPath, [`dist/apps/${name}/main.js`], {
    ...environment,
    NODE_OPTIONS: '',
    PORT: port,
    WORKER_PORT: port,
  });
  const url = `http://127.0.0.1:${port}`;
  const readiness = () =>
    fetch(`${url}/health/ready`).then(
      ({ status }) => status,
      () => 0,
    );
  return { program, url, readiness };
}

export const waitUntilReady = ({ program, readiness }: GalleyProgram): Promise<boolean> =>
  eventually('the program to be ready', async () => {
    if (program.child.exitCode !== null) throw new Error(program.output);
    return (await readiness()) === 200;
  });

export async function killPrograms(programs: GalleyProgram[]): Promise<void> {
  for (const { program } of programs.splice(0)) {
    program.killGroup();
    await program.exited;
  }
}
