/*
 * Lets an operator look into all workspaces, and pause and resume webhooks: `npm run --silent admin -- --help`. A
 * standby can serve the views, and their queries do not become slower as the tables grow. The output contains no
 * secrets, no documents and no URL paths.
 */
import { requireNodeVersion } from '#node-version';
import { endOnSignals } from '#signals';

endOnSignals();
requireNodeVersion();
const { Logger } = await import('@nestjs/common');
const { createLogger, resolveDirectUrl, loadMigrateConfig, loadRestoreConfig } =
  await import('#config');
const { DatabaseInspection, requireGalleyTables } = await import('#database');
const { OperatorActions, PendingDeliveries } = await import('#webhooks');
const { parseRequest, USAGE } = await import('./admin/request.js');
const { readView } = await import('./admin/views.js');
const { CommandError, report, runCommand } = await import('./command.js');
const { withService } = await import('./with-service.js');

const STATEMENT_TIMEOUT_MS = 10_000;
const QUERY_CANCELED = '57014';

const NOTHING_FOUND: Record<string, string> = {
  users:
    'No user was found. Galley finds a user by email address only if the identity provider has verified the address.',
};

type Request = NonNullable<ReturnType<typeof parseRequest>>;

await runCommand(async () => {
  const request = parseRequest(process.argv.slice(2));
  if (request === undefined) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  Logger.overrideLogger(createLogger({ LOG_LEVEL: 'warn' }));
  if ('action' in request) await act(request);
  else await show(request);
});

async function act({ action, webhookId, reason }: Extract<Request, { action: string }>) {
  const config = loadRestoreConfig(process.env);
  const isChanged = await withService(config, [OperatorActions, PendingDeliveries], (actions) =>
    actions[action](webhookId, reason),
  );
  const state = action === 'pause' ? 'disabled, and Galley holds its deliveries' : 'active';
  report(`The webhook ${isChanged ? 'is now' : 'was already'} ${state}.`);
}

async function show(request: Extract<Request, { command: string }>): Promise<void> {
  const config = loadMigrateConfig(process.env);
  const database = await DatabaseInspection.connect(resolveDirectUrl(config), {
    program: 'admin',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  try {
    await requireGalleyTables(database.query);
    const { rows, table } = await readView(database.query, request);
    process.stdout.write(`${request.isJson ? JSON.stringify(rows, undefined, 2) : table}\n`);
    if (rows.length === 0) report(NOTHING_FOUND[request.command] ?? 'Nothing was found.');
  } catch (error) {
    if ((error as { code?: string }).code !== QUERY_CANCELED) throw error;
    throw new CommandError(
      `PostgreSQL did not respond within ${STATEMENT_TIMEOUT_MS / 1_000} s. Set DATABASE_DIRECT_URL to a standby, or name one workspace (--workspace).`,
    );
  } finally {
    await database.close();
  }
}
