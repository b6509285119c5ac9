/*
 * Says what is wrong with a configuration or an installation, in one line for each finding, and ends with
 * exit code 1 if there is a problem. It changes nothing, and works while Galley is down.
 */
import { requireNodeVersion } from '#node-version';
import { endOnSignals } from '#signals';

endOnSignals();
requireNodeVersion();
const { Logger } = await import('@nestjs/common');
const { requireArguments, start } = await import('#config');
const { examine } = await import('./doctor.js');

requireArguments(
  'npm run doctor [-- <webhook URL> ...]: examines the configuration and the servers, and whether Galley can reach the URLs.',
  (args) => !args.some((argument) => argument.startsWith('-')),
);
await start('doctor', async () => {
  // The libs log what they retry; here, each result is a line of the output.
  Logger.overrideLogger(false);
  const findings = await examine(process.env, process.argv.slice(2));
  for (const { level, subject, text } of findings) {
    process.stdout.write(`${level.padEnd(7)}  ${subject.padEnd(13)}  ${text}\n`);
  }
  process.exit(findings.some(({ level }) => level === 'problem') ? 1 : 0);
});
