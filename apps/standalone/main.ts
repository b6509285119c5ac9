import { requireNodeVersion } from '#node-version';

requireNodeVersion();
const { DataDirectory, dataDirectoryPath } = await import('./data-directory.js');
const { Standalone } = await import('./standalone.js');
const { Problem, runCommand, say } = await import('./terminal.js');

/**
 * Ctrl-C comes twice under npm: from the terminal, and from npm that passes its own on. Only what
 * comes later than this is somebody's second Ctrl-C.
 */
const SAME_SIGNAL_MS = 1_000;

await runCommand(async () => {
  const port = Number(process.env['PORT'] || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Problem('PORT must be a number from 1 to 65535.');
  }
  const dataDirectory = new DataDirectory(dataDirectoryPath());
  const standalone = new Standalone(dataDirectory, port);

  let stoppingSince: number | undefined;
  const onSignal = (): void => {
    if (stoppingSince === undefined) {
      stoppingSince = Date.now();
      say('\nStopping (Ctrl-C again to force) …');
      standalone.requestStop();
    } else if (Date.now() - stoppingSince > SAME_SIGNAL_MS) {
      standalone.kill();
      process.exit(130);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, onSignal);
  }

  try {
    await standalone.run();
  } finally {
    await standalone.stop();
    dataDirectory.release();
  }
  say('Stopped.');
});
