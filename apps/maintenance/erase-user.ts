/*
 * Erases the data that Galley stores about a person: `npm run erase-user -- <user id or email address>`. The other
 * programs may keep running.
 */
import { requireNodeVersion } from '#node-version';
import { endOnSignals } from '#signals';

endOnSignals();
requireNodeVersion();
const { loadRestoreConfig, requireArguments } = await import('#config');
const { UserErasure } = await import('#identity');
const { CommandError, report, runCommand } = await import('./command.js');
const { withService } = await import('./with-service.js');

const IS_ID_OR_EMAIL = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$|@/i;

requireArguments(
  'npm run erase-user -- <user id or email address>: erases what Galley stores about a person. Needs DATABASE_URL or DATABASE_DIRECT_URL, and SECRETS_KEYS.',
  (args) => args.length === 1 && IS_ID_OR_EMAIL.test(args[0] ?? ''),
);
await runCommand(async () => {
  const [idOrEmail = ''] = process.argv.slice(2);
  const config = loadRestoreConfig(process.env);
  const { userIds, changedEntries } = await withService(config, [UserErasure], (erasure) =>
    erasure.erase(idOrEmail),
  );
  if (userIds.length + changedEntries === 0)
    throw new CommandError('Galley stores nothing about this person.');
  for (const id of userIds) report(`Erased the user ${id}.`);
  report(
    `Removed IP addresses or the email address of this person from ${changedEntries} audit log entries.`,
  );
});
