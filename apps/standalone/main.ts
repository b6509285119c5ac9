/*
 * Runs all of Galley for development with one command: PostgreSQL, an identity provider, a sample receiver, a mail
 * catcher, the API and the worker. Nothing else has to be installed or running. This program is not for production.
 */
import { requireNodeVersion } from '#node-version';
import { endOnSignals } from '#signals';

endOnSignals();
requireNodeVersion();
const { requireArguments } = await import('#config');
requireArguments(
  'npm start: runs all of Galley for development, with its data in DATA_DIR or .data. The command takes no arguments.',
  (args) => args.length === 0,
);
const { DataDirectory, dataDirectoryPath } = await import('./data-directory.js');
const { Standalone } = await import('./standalone.js');
const { CliError, runCommand, print } = await import('./terminal.js');

/**
 * npm forwards Ctrl-C, so one key press arrives twice: from the terminal and from npm. A second signal within this time
 * counts as the same key press.
 */
const DUPLICATE_SIGNAL_WINDOW_MS = 1_000;

await runCommand(async () => {
  const port = Number(process.env['PORT'] || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new CliError('PORT must be a number from 1 to 65535.');
  }
  const dataDirectory = new DataDirectory(dataDirectoryPath());
  const standalone = new Standalone(dataDirectory, port);

  let stopRequestedAt: number | undefined;
  const onSignal = (): void => {
    if (stopRequestedAt === undefined) {
      stopRequestedAt = Date.now();
      print('\nStopping (Ctrl-C again to force) …');
      standalone.requestStop();
    } else if (Date.now() - stopRequestedAt > DUPLICATE_SIGNAL_WINDOW_MS) {
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
  print('Stopped.');
});
