import type { Defect } from './defect.ts';

const UNIT_OF_WORK = 'libs/database/unit-of-work.ts';
const CLAIM = 'libs/webhooks/pipeline/claim-deliveries.sql.ts';
const ORDERED = 'libs/webhooks/delivery/ordered-deliveries.ts';
const RECORD = 'libs/webhooks/pipeline/record-attempts.sql.ts';
const RECORD_ATTEMPTS = ['test/engine/recording/record-attempts.test.ts'];
const RELAY = 'libs/webhooks/pipeline/relay-events.sql.ts';
const ROTATION = 'libs/key-rotation/key-rotation.sql.ts';
const ROTATION_TESTS = ['test/engine/keys/key-rotation.test.ts'];

/** The outbox, ordered deliveries, the rotation of keys, and what operators do. */
export const operations: Defect[] = [
  {
    name: 'a change commits without its events',
    file: UNIT_OF_WORK,
    text: '? insertEvents(query, written.events)',
    replacement: '? insertEvents(query, written.events.slice(0, 0))',
    tests: ['test/api/documents/templates.test.ts'],
    pattern: 'is updated by any subset',
  },
  {
    name: 'a change in one statement commits without its event',
    file: 'libs/database/change-statement.ts',
    text: '(${eventCte(changedCte, parameters + 1)})',
    replacement: '(${eventCte(changedCte, parameters + 1)} WHERE false)',
    tests: ['test/api/documents/templates.test.ts'],
    pattern: 'is created with defaults',
  },
  {
    name: 'events of a deleted workspace are not stored',
    file: 'libs/documents/write/delete-documents.ts',
    text: 'FROM deleted`,',
    replacement: 'FROM deleted WHERE false`,',
    tests: ['test/system/access/workspace-deletion.test.ts'],
    pattern: 'with templates is not deleted without force',
  },
  {
    name: 'a delivery overtakes an earlier one of its resource',
    file: CLAIM,
    text: 'AND earlier.event_position < delivery.event_position',
    replacement: 'AND earlier.event_position < 0',
    tests: ['test/engine/claim-ordered.test.ts'],
  },
  {
    name: 'a delivery waits for deliveries of other resources',
    file: CLAIM,
    text: 'AND earlier.resource_id = delivery.resource_id',
    replacement: 'AND earlier.resource_id IS NOT NULL',
    tests: ['test/engine/claim-ordered.test.ts'],
  },
  {
    name: 'a finished delivery releases all later ones of its resource',
    file: ORDERED,
    text: 'ORDER BY event_position FETCH FIRST ROW WITH TIES',
    replacement: 'ORDER BY event_position',
    tests: RECORD_ATTEMPTS,
    pattern: 'releases the next',
  },
  {
    name: 'a finished delivery releases none',
    file: ORDERED,
    text: 'AND event_position > finished.event_position',
    replacement: 'AND event_position < finished.event_position',
    tests: RECORD_ATTEMPTS,
  },
  {
    name: 'a claim gives the same fencing number again',
    file: CLAIM,
    text: 'SET claims = claims + 1, claimed_until',
    replacement: 'SET claims = claims + 0, claimed_until',
    tests: ['test/engine/claim-deliveries.test.ts'],
  },
  {
    name: 'a failure of an earlier worker postpones the attempt of a later one',
    file: RECORD,
    text: 'delivery.claims = input.claim AS is_latest',
    replacement: 'delivery.claims >= input.claim AS is_latest',
    tests: RECORD_ATTEMPTS,
  },
  {
    name: 'an endpoint gets events of all resources',
    file: RELAY,
    text: 'AND coalesce(event.resource_id = ANY (endpoint.resource_ids), true)',
    replacement: 'AND coalesce(event.resource_id IS NOT NULL, true)',
    tests: ['test/engine/relay-events.test.ts'],
  },
  {
    name: 'a program runs although it lacks a key that stored secrets may need',
    file: ROTATION,
    text: `WHERE state = 'active' AND NOT EXISTS (
    SELECT FROM encryption_keys WHERE state <> 'retired' AND id <> ALL ($4::text[])
  )`,
    replacement: `WHERE state = 'active' AND $4::text[] IS NOT NULL`,
    tests: ROTATION_TESTS,
  },
  {
    name: 'an old key is closed while a program still encrypts with it',
    file: ROTATION,
    text: 'WHERE active_key_id IS DISTINCT FROM (',
    replacement: 'WHERE active_key_id IS NULL AND NULL = (',
    tests: ROTATION_TESTS,
  },
  {
    name: 'an old key is closed while a program does not know yet which key encrypts',
    file: ROTATION,
    text: 'WHERE active_key_id IS DISTINCT FROM (',
    replacement: 'WHERE active_key_id <> (',
    tests: ROTATION_TESTS,
  },
  {
    name: 'a key is retired although a webhook needs it',
    file: ROTATION,
    text: 'AND counted.id IS NULL AS is_retired',
    replacement: 'AS is_retired',
    tests: ROTATION_TESTS,
  },
  {
    name: 'a key is retired that was closed after the count had begun',
    file: ROTATION,
    text: "key.state = 'closed' AND key.id = ANY ($3::text[]) AND",
    replacement: "key.state = 'closed' AND $3::text[] IS NOT NULL AND",
    tests: ROTATION_TESTS,
  },
  {
    name: 'the count of keys leaves out earlier secrets that still sign',
    file: 'libs/webhooks/endpoints/count-secrets-by-key.ts',
    text: "concat_ws(' ', encrypted_secret, encrypted_headers, earlier_secrets::text)",
    replacement: "concat_ws(' ', encrypted_secret, encrypted_headers)",
    tests: ROTATION_TESTS,
  },
  {
    name: 'the count of keys leaves out the headers of webhooks',
    file: 'libs/webhooks/endpoints/count-secrets-by-key.ts',
    text: "concat_ws(' ', encrypted_secret, encrypted_headers, earlier_secrets::text)",
    replacement: "concat_ws(' ', encrypted_secret, earlier_secrets::text)",
    tests: ROTATION_TESTS,
  },
  {
    name: 'a program counts as ended although it reports',
    file: 'libs/key-rotation/ended-programs.ts',
    text: 'last?.beats === beats ? last.missedChecks + 1 : 0',
    replacement: 'last === undefined ? 0 : last.missedChecks + 1',
    tests: ['libs/key-rotation/ended-programs.spec.ts'],
  },
  {
    name: 'values for different purposes are encrypted with the same key',
    file: 'libs/encryption/encryption.ts',
    text: "hkdfSync('sha256', this.derive(key), '', purpose, KEY_BYTES)",
    replacement: "hkdfSync('sha256', this.derive(key), '', purpose && '', KEY_BYTES)",
    tests: ['libs/encryption/encryption.spec.ts'],
  },
  {
    name: 'the revocation of an API key has no audit entry',
    file: 'libs/workspaces/api-keys.ts',
    text: `      audit(transaction, {
        actor,
        workspaceId,
        action: 'key.revoked',`,
    replacement: `      void ({
        actor,
        workspaceId,
        action: 'key.revoked',`,
    tests: ['test/api/access/api-keys.test.ts'],
    pattern: 'once it is revoked',
  },
  {
    name: 'an audit entry lacks the IP address',
    file: 'libs/workspaces/audit-log.ts',
    text: '      actor.ipAddress,',
    replacement: '      actor.ipAddress && null,',
    tests: ['test/system/access/audit-log.test.ts'],
    pattern: 'says who changed what',
  },
  {
    name: 'the purge of a document has no audit entry',
    file: 'libs/documents/trash/restore-from-trash.ts',
    text: 'audit(transaction, { actor, workspaceId, ...entry });',
    replacement: 'void { actor, workspaceId, ...entry };',
    tests: ['test/system/trash/trash-purge.test.ts'],
    pattern: 'with an audit entry',
  },
  {
    name: 'an interrupted restore leaves no mark',
    file: 'apps/maintenance/restore.ts',
    text: '`CREATE TABLE IF NOT EXISTS ${UNFINISHED_RESTORE} AS SELECT now() AS started_at`',
    replacement: '`SELECT now() AS started_at`',
    tests: ['test/system/data-care/interruptions.test.ts'],
    pattern: 'a restore that is killed',
    needs: 'DATABASE_URL',
  },
  {
    name: 'programs become ready although a restore has not finished',
    file: 'libs/database/completeness/unfinished-restore.ts',
    text: "to_regclass('${UNFINISHED_RESTORE}') IS NOT NULL",
    replacement: "to_regclass('${UNFINISHED_RESTORE}') = 0",
    tests: ['test/system/data-care/interruptions.test.ts'],
    pattern: 'a restore that is killed',
    needs: 'DATABASE_URL',
  },
  {
    name: 'an API serves a database that is not complete',
    file: 'apps/api/health/require-database.ts',
    text: 'const isRefused = !database.isComplete &&',
    replacement: 'const isRefused = false &&',
    tests: ['test/system/operations/resilience.test.ts'],
    pattern: 'before the database is migrated',
  },
  {
    name: 'the loops of a worker begin before the database is complete',
    file: 'libs/loops/loops.ts',
    text: 'after: this.database.completed,',
    replacement: '',
    tests: ['test/system/operations/resilience.test.ts'],
    pattern: 'before the database is migrated',
  },
];
