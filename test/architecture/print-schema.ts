import type { Client } from 'pg';

interface Table {
  name: string;
  columns: string[];
  constraints: string[];
  partitionKey: string | null;
  options: string[] | null;
  indexes: string[];
  triggers: string[];
}

// Leaves out weekly partitions, and constraints of the type `n`, which is NOT NULL: the columns already show
// NOT NULL.
const SELECT_TABLES = `
  SELECT relname AS name, reloptions AS options, pg_get_partkeydef(oid) AS "partitionKey",
    ARRAY(
      SELECT concat_ws(' ', attname, format_type(atttypid, atttypmod),
        CASE WHEN attstorage <> typstorage THEN 'STORAGE ' || CASE attstorage
          WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' WHEN 'x' THEN 'EXTENDED' ELSE 'PLAIN' END END,
        CASE WHEN attnotnull THEN 'NOT NULL' END,
        'DEFAULT ' || pg_get_expr(adbin, adrelid, true))
      FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
      LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
      WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped ORDER BY attnum
    ) AS columns,
    ARRAY(
      SELECT 'CONSTRAINT ' || conname || ' ' || pg_get_constraintdef(oid, true) FROM pg_constraint
      WHERE conrelid = pg_class.oid AND contype <> 'n' ORDER BY contype <> 'p', conname
    ) AS constraints,
    ARRAY(
      SELECT pg_get_indexdef(indexrelid, 0, true) FROM pg_index
      WHERE indrelid = pg_class.oid
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))
      ORDER BY indexrelid::regclass::text
    ) AS indexes,
    ARRAY(
      SELECT pg_get_triggerdef(oid, true) FROM pg_trigger
      WHERE tgrelid = pg_class.oid AND NOT tgisinternal ORDER BY tgname
    ) AS triggers
  FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
  ORDER BY relname`;

const SELECT_FUNCTIONS = `
  SELECT pg_get_functiondef(oid) AS text FROM pg_proc
  WHERE pronamespace = 'public'::regnamespace ORDER BY proname`;

/** Prints a database's schema as SQL for people to read: functions, tables, indexes and triggers, by name. */
export async function printSchema(client: Client): Promise<string> {
  const { rows: functions } = await client.query<{ text: string }>(SELECT_FUNCTIONS);
  const { rows: tables } = await client.query<Table>(SELECT_TABLES);
  const parts = [
    '-- The schema after all migrations. `npm run generate` writes this file.',
    ...functions.map(({ text }) => `${text.trimEnd()};`),
    ...tables.map(printTable),
  ];
  return `${parts.join('\n\n')}\n`;
}

function printTable(table: Table): string {
  const { name, columns, constraints, partitionKey, options, indexes, triggers } = table;
  const lines = [...columns, ...constraints].map((line) => `  ${line}`).join(',\n');
  const suffixes = [
    partitionKey === null ? '' : ` PARTITION BY ${partitionKey}`,
    options === null ? '' : ` WITH (${options.join(', ')})`,
  ];
  const statements = [
    `CREATE TABLE ${name} (\n${lines}\n)${suffixes.join('')}`,
    ...indexes,
    ...triggers,
  ];
  return statements.map((statement) => `${statement};`).join('\n');
}
