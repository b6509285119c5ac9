/*
 * Diagnoses a configuration or an installation. Prints one line for each finding, and exits with code 1 if there is a
 * problem. The doctor changes nothing, and works even while Galley is down.
 */
import { requireNodeVersion } from '#node-version';
import { endOnSignals } from '#signals';

endOnSignals();
requireNodeVersion();
const { Logger } = await import('@nestjs/common');
const { requireArguments, start } = await import('#config');
const { examine } = await import('./doctor.js');

requireArguments(
  'npm run doctor [-- <webhook URL> ...]: checks the configuration and the servers, and whether webhooks may have the given URLs.',
  (args) => !args.some((argument) => argument.startsWith('-')),
);
await start('doctor', async () => {
  // The libs log their retries, but the output must contain only findings.
  Logger.overrideLogger(false);
  const findings = await examine(process.env, process.argv.slice(2));
  for (const { level, subject, text } of findings) {
    process.stdout.write(`${level.padEnd(7)}  ${subject.padEnd(13)}  ${text}\n`);
  }
  process.exit(findings.some(({ level }) => level === 'problem') ? 1 : 0);
});
