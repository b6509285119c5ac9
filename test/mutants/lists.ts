import type { Defect } from './defect.ts';

const ORDER = 'libs/documents/lists/list-order.ts';
const ORDERS = ['test/system/lists/list-orders.test.ts'];
const WATERMARK = 'libs/documents/lists/low-watermark.ts';
const SYNC = ['test/system/lists/list-sync.test.ts'];
const KEYSET = 'libs/database/lists/keyset.ts';
const KEYSET_TESTS = ['libs/database/lists/keyset.spec.ts'];

/** The pages of lists, their cursors, and the low watermark. */
export const lists: Defect[] = [
  {
    name: 'a page in descending order repeats the last row of the page before it',
    file: ORDER,
    text: "['<', 'DESC'] : ['>', 'ASC']",
    replacement: "['<=', 'DESC'] : ['>', 'ASC']",
    tests: ORDERS,
  },
  {
    name: 'a page in ascending order repeats the last row of the page before it',
    file: ORDER,
    text: "['<', 'DESC'] : ['>', 'ASC']",
    replacement: "['<', 'DESC'] : ['>=', 'ASC']",
    tests: ORDERS,
  },
  {
    name: 'a page by the time of changes repeats the last row of the page before it',
    file: ORDER,
    text: '> ${LATER_START}`',
    replacement: '>= ${LATER_START}`',
    tests: ORDERS,
  },
  {
    name: 'rows with equal values are in no certain order',
    file: ORDER,
    text: '`${key} ${direction}, ${table}.id ${direction}`',
    replacement: '`${key} ${direction}, ${table}.id DESC`',
    tests: ORDERS,
    pattern: 'equal values',
  },
  {
    name: 'updatedSince leaves out a change at this very time',
    file: ORDER,
    text: "${table}.updated_at >= coalesce($5::timestamptz, '-infinity')",
    replacement: "${table}.updated_at > coalesce($5::timestamptz, '-infinity')",
    tests: ORDERS,
  },
  {
    name: 'a list forward in time goes beyond the low watermark',
    file: ORDER,
    text: '[`${key} < ${LOW_WATERMARK}`]',
    replacement: "[`${LOW_WATERMARK} > '-infinity'`]",
    tests: SYNC,
    pattern: 'pages of 1 misses nothing',
  },
  {
    name: 'the low watermark ignores changes that have not committed',
    file: WATERMARK,
    text: 'WHERE key >> 42 = 1763683',
    replacement: 'WHERE key >> 42 = 1763684',
    tests: SYNC,
    pattern: 'pages of 1 misses nothing',
  },
  {
    name: 'a change takes its time before the lock that holds the low watermark back',
    file: 'libs/database/migrations/1764547202000-documents.ts',
    text: 'PERFORM pg_advisory_xact_lock_shared(',
    replacement: 'PERFORM abs(',
    tests: SYNC,
    pattern: 'pages of 1 misses nothing',
  },
  {
    name: 'an empty page forgets the position of a client that follows the list',
    file: ORDER,
    text: 'last ? positionOf(last) : keyset.after(cursor)',
    replacement: 'last ? positionOf(last) : keyset.after(undefined)',
    tests: SYNC,
    pattern: 'following templates after a batch costs one request without rows with updatedAt',
  },
  {
    name: 'a cursor of one list is accepted by another one',
    file: KEYSET,
    text: 'new Keyset(this.encryption, JSON.stringify(scope), start)',
    replacement: "new Keyset(this.encryption, JSON.stringify(scope) && '', start)",
    tests: KEYSET_TESTS,
  },
  {
    name: 'the last full page of a list has a cursor',
    file: KEYSET,
    text: 'if (rows.length === data.length || last === undefined)',
    replacement: 'if (rows.length < limit || last === undefined)',
    tests: KEYSET_TESTS,
  },
  {
    name: 'a page of publications repeats the last one of the page before it',
    file: 'libs/publishing/list-publications.ts',
    text: "'number < $3'",
    replacement: "'number <= $3'",
    tests: ['test/system/publishing/publishing.test.ts'],
    pattern: 'the history has pages',
  },
  {
    name: 'a page of what is scheduled repeats the last row of the page before it',
    file: 'libs/publishing/list-publications.ts',
    text: '(at, id) > ($3, $4)',
    replacement: '(at, id) >= ($3, $4)',
    tests: ['test/system/publishing/schedules.test.ts'],
    pattern: 'is listed once',
  },
  {
    name: 'a page of the trash repeats the last row of the page before it',
    file: 'libs/documents/trash/list-trash.ts',
    text: '(expires_at, id) < ($3, $4)',
    replacement: '(expires_at, id) <= ($3, $4)',
    tests: ['test/api/trash/trash.test.ts'],
    pattern: 'the trash is listed in pages',
  },
  {
    name: 'a page of the audit log repeats the last entry of the page before it',
    file: 'libs/workspaces/audit-log.ts',
    text: '(occurred_at, id) < ($3, $4)',
    replacement: '(occurred_at, id) <= ($3, $4)',
    tests: ['test/system/access/audit-log.test.ts'],
    pattern: 'is listed in pages',
  },
  {
    name: 'the feed repeats the event at the position that was read last',
    file: 'libs/webhooks/history/event-feed.ts',
    text: 'events.position > $3',
    replacement: 'events.position >= $3',
    tests: ['test/engine/event-feed.test.ts'],
  },
  {
    name: 'the feed has events that a crash of PostgreSQL may take back',
    file: 'libs/webhooks/history/event-feed.ts',
    text: '.slice(0, firstNotDurable === -1 ? undefined : firstNotDurable)',
    replacement: '.slice(0, firstNotDurable === -1 ? undefined : undefined)',
    tests: ['test/engine/event-feed.test.ts'],
  },
];
