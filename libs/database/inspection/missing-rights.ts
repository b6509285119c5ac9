import { StartupError } from '#errors';
import { sqlState } from '../connection/sql-state.js';
import { DatabaseInspection, type ServerState } from './database-inspection.js';

const INSUFFICIENT_PRIVILEGE = '42501';

/** Returns a message if the user may not create schemas or tables; undefined if the user may create both. */
export function describeMissingRights(state: ServerState): string | undefined {
  const { user, canCreateSchemas, canCreateTables } = state;
  if (canCreateSchemas && canCreateTables) return undefined;
  const missing = canCreateTables ? 'schemas' : canCreateSchemas ? 'tables' : 'schemas and tables';
  return `${user} may not create ${missing}: \`npm run migrate\` needs a role that may.`;
}

/**
 * Turns the error of a migration whose user lacks a right into a `StartupError` with advice. Returns all other errors
 * unchanged.
 */
export async function explainMissingRights(error: unknown, url: string): Promise<unknown> {
  if (sqlState(error) !== INSUFFICIENT_PRIVILEGE) return error;
  // If PostgreSQL accepts no second connection, the original error still names the reason.
  const inspection = await DatabaseInspection.connect(url, { program: 'migrate' }).catch(
    () => undefined,
  );
  if (inspection === undefined) return error;
  try {
    const state = await inspection.serverState();
    const right =
      describeMissingRights(state) ??
      `${state.user} lacks this right: \`npm run migrate\` needs the role that owns the tables.`;
    const { message } = error as Error;
    return new StartupError(
      `PostgreSQL refused a migration: ${message}. ${right} See docs/run/operations.md, section Deploy.`,
    );
  } finally {
    await inspection.close();
  }
}
