import { expect } from '@jest/globals';
import type { TestDatabase } from './database.js';

const TABLES = [
  'documents',
  'document_versions',
  'module_usages',
  'module_usage_updates',
  'trashed_documents',
  'documents_to_purge',
  'assets',
  'asset_contents',
  'webhook_endpoints',
  'webhook_endpoint_transitions',
  'webhook_deliveries',
  'webhook_delivery_log',
  'webhook_traffic',
  'webhook_replays',
  'workspaces',
  'workspace_members',
  'api_keys',
  'audit_entries',
  'users',
  'outbox',
  'idempotency_keys',
];

/** For each table the number of rows and a digest of their contents, read in one statement. */
export async function snapshot(database: TestDatabase): Promise<Record<string, string>> {
  const columns = TABLES.map(
    (table) =>
      `(SELECT count(*) || ' rows ' || md5(coalesce(string_agg(t::text, '' ORDER BY t::text), ''))
        FROM ${table} t) AS ${table}`,
  );
  const [row] = await database.query<Record<string, string>>(`SELECT ${columns.join(', ')}`);
  if (row === undefined) throw new Error('A statement without FROM gave no row.');
  return row;
}

/** How many rows the action adds to each table. */
export async function rowsAddedBy(
  database: TestDatabase,
  action: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const before = await snapshot(database);
  await action();
  const after = await snapshot(database);
  return Object.fromEntries(
    Object.entries(after).map(([table, afterText]) => [
      table,
      Number.parseInt(afterText) - Number.parseInt(before[table] ?? ''),
    ]),
  );
}

export async function expectNoChange(
  database: TestDatabase,
  action: () => Promise<unknown>,
): Promise<void> {
  const before = await snapshot(database);
  await action();
  expect(await snapshot(database)).toEqual(before);
}
