import type { Defect } from './defect.ts';

const CHECK_REFERENCES = 'libs/documents/references/check-references.sql.ts';
const REFERENCE_LOCKS = ['test/system/references/reference-locks.test.ts'];
const MODULE_REFERENCES = ['test/api/documents/module-references.test.ts'];
const RESTORE = 'libs/documents/trash/restore-from-trash.ts';
const TRASH = ['test/api/trash/trash.test.ts'];
const TRASH_PURGE = ['test/system/trash/trash-purge.test.ts'];
const EXPIRY_PATTERN = 'can be restored for 30 days';

/** References between modules, the trash, and the search. */
export const documents: Defect[] = [
  {
    name: 'two changes at once may close a cycle, because neither waits for the other',
    file: CHECK_REFERENCES,
    text: 'SELECT id, pg_advisory_xact_lock(hashtextextended(',
    replacement: 'SELECT id, pg_advisory_xact_lock_shared(hashtextextended(',
    tests: REFERENCE_LOCKS,
    pattern: 'is not closed',
  },
  {
    name: 'a change does not notice that it lacks a lock which it needs since its wait',
    file: 'libs/documents/references/store-references.ts',
    text: 'if (!needed?.every(({ id }) => ids.has(id))) throw new LocksIncomplete();',
    replacement: 'if (!needed && ids.size < 0) throw new LocksIncomplete();',
    tests: REFERENCE_LOCKS,
    pattern: 'is not closed',
  },
  {
    name: 'a module may use itself through other modules',
    file: CHECK_REFERENCES,
    text: 'SELECT document_id, id FROM closure INTERSECT SELECT document_id, id FROM ancestor',
    replacement: 'SELECT document_id, id FROM closure EXCEPT SELECT document_id, id FROM closure',
    tests: MODULE_REFERENCES,
    pattern: '^a cycle',
  },
  {
    name: 'modules may be nested one deeper',
    file: CHECK_REFERENCES,
    text: ') > ${MAX_MODULE_DEPTH}`;',
    replacement: ') > ${MAX_MODULE_DEPTH} + 1`;',
    tests: MODULE_REFERENCES,
    pattern: 'nested more than five deep',
  },
  {
    name: 'a document may refer to a module of a workspace that its author cannot read',
    file: CHECK_REFERENCES,
    text: 'WHERE workspace_id = found.workspace_id AND user_id = ${userId} LIMIT 1',
    replacement: 'WHERE workspace_id = found.workspace_id AND ${userId}::uuid IS NOT NULL LIMIT 1',
    tests: MODULE_REFERENCES,
    pattern: 'of a workspace that the caller cannot read',
  },
  {
    name: 'a module that is in use is deleted without force',
    file: 'libs/documents/write/delete-documents.ts',
    text: 'if (users) rejectUsed(users);',
    replacement: 'if (users === null) rejectUsed(users);',
    tests: ['test/api/documents/module-usages.test.ts'],
  },
  {
    name: 'a document in the trash can be restored after it has expired',
    file: RESTORE,
    text: 'document.id = $2 AND document.expires_at > now()',
    replacement: 'document.id = $2',
    tests: TRASH_PURGE,
    pattern: EXPIRY_PATTERN,
  },
  {
    name: 'the trash lists documents that have expired',
    file: 'libs/documents/trash/list-trash.ts',
    text: '(expires_at, id) < ($3, $4) AND expires_at > now()',
    replacement: '(expires_at, id) < ($3, $4)',
    tests: TRASH_PURGE,
    pattern: EXPIRY_PATTERN,
  },
  {
    name: 'the purge takes documents that have not expired',
    file: 'libs/documents/trash/version-purge.ts',
    text: "<= now() AT TIME ZONE 'UTC'",
    replacement: "<= now() AT TIME ZONE 'UTC' + interval '1 day'",
    tests: TRASH_PURGE,
    pattern: EXPIRY_PATTERN,
  },
  {
    name: 'a document stays in the trash for hours instead of days',
    file: 'libs/documents/trash/move-to-trash.sql.ts',
    text: "$3::integer * interval '1 day'",
    replacement: "$3::integer * interval '1 hour'",
    tests: TRASH_PURGE,
    pattern: EXPIRY_PATTERN,
  },
  {
    name: 'a restored document repeats a number of its sequence of events',
    file: RESTORE,
    text: "'document.events + 2'",
    replacement: "'document.events + 1'",
    tests: TRASH,
    pattern: 'continues the sequence',
  },
  {
    name: 'a client that follows the list does not see that a document was restored',
    file: RESTORE,
    text: "if (column === 'updated_at') return nextUpdatedAtInOrder;",
    replacement: "if (column === '') return nextUpdatedAtInOrder;",
    tests: TRASH,
    pattern: 'comes back with its document',
  },
  {
    name: 'a restored document has lost its usages of modules',
    file: RESTORE,
    text: 'FROM trashed CROSS JOIN LATERAL jsonb_to_recordset(usages)',
    replacement: "FROM trashed CROSS JOIN LATERAL jsonb_to_recordset('[]'::jsonb)",
    tests: TRASH,
    pattern: 'comes back with its document',
  },
  {
    name: 'a document in the trash is restored twice for one idempotency key',
    file: RESTORE,
    text: `    );
  }, actor.idempotencyKey);`,
    replacement: `    );
  });`,
    tests: TRASH,
    pattern: 'is restored once',
  },
  {
    name: 'a change that commits while its words are stored is taken out of the queue',
    file: 'libs/documents/search/search-indexer.ts',
    text: 'queued.document_id = input.id AND queued.version = input.version',
    replacement: 'queued.document_id = input.id',
    tests: ['test/system/search/indexing.test.ts'],
    pattern: 'a change that commits during the step',
  },
  {
    name: 'the words of a deleted document are stored',
    file: 'libs/documents/search/search-indexer.ts',
    text: ' FOR KEY SHARE SKIP LOCKED',
    replacement: '',
    tests: ['test/system/search/indexing.test.ts'],
    pattern: 'may delete the document',
  },
];
