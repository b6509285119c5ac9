import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { probePort } from '../../../dist/apps/standalone/ports.js';

/** Runs `npm start` for all tests of the suite. */
export default async function setUp() {
  process.env.GALLEY_TEST_CHROMIUM = findChromium();
  const dataDir = await mkdtemp(join(tmpdir(), 'galley-browser-'));
  process.env.GALLEY_TEST_DATA_DIR = dataDir;
  const environment = { DATA_DIR: dataDir, PORT: String(await probePort(0)) };
  // These variables of other tests, such as the URLs of their services, must not affect this Galley.
  const cleanEnvironment = { DATABASE_URL: '', REDIS_URL: '', NODE_OPTIONS: '', LOG_LEVEL: '' };
  // Skips the script `prestart`, because the suite has already built everything.
  const program = spawn('npm', ['start', '--ignore-scripts'], {
    env: { ...process.env, ...cleanEnvironment, ...environment },
    stdio: ['ignore', 'pipe', 2],
  });
  globalThis.__galleyStack = {
    dataDir,
    stop: async () => {
      if (program.exitCode !== null || program.signalCode !== null) return;
      program.kill('SIGTERM');
      await once(program, 'exit');
    },
  };
  let output = '';
  for await (const text of program.stdout
    .setEncoding('utf8')
    .iterator({ destroyOnReturn: false })) {
    output += text;
    if (output.includes('Galley is ready.')) break;
  }
  program.stdout.resume();
  if (!output.includes('Galley is ready.')) throw new Error(`npm start failed:\n${output}`);
}

function findChromium() {
  try {
    const command =
      'command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || command -v google-chrome';
    return execFileSync('sh', ['-c', command], { encoding: 'utf8' }).trim();
  } catch {
    throw new Error(
      'This machine has no Chromium. Install it (on Debian and Ubuntu: apt-get install chromium), and run npm run test:browser again.',
    );
  }
}
