import type { Client } from 'pg';

interface Plan {
  'Node Type': string;
  Operation?: string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

/** The types of a statement's parameters, the tables that it writes, and its locks beyond those of the writes. */
export interface StatementFacts {
  parameters: string[];
  writes: string[];
  locks: string[];
}

const ROW_LOCK =
  /\bFOR (?:NO KEY UPDATE|UPDATE|KEY SHARE|SHARE)(?: OF \w+)?(?: SKIP LOCKED| NOWAIT)?/g;
const ADVISORY_LOCK = /\bpg_(?:try_)?advisory\w+/g;
const TABLE = /\b(?:FROM|JOIN)\s+([a-z_]+)/g;

/** @param client of a migrated database. */
export async function describeStatement(
  client: Client,
  statement: string,
): Promise<StatementFacts> {
  await client.query(`PREPARE described AS ${statement}`);
  const { rows } = await client.query<{ types: string[] }>(
    `SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = 'described'`,
  );
  await client.query('DEALLOCATE described');
  const { rows: plans } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${statement}`,
  );
  const plan = plans[0]?.['QUERY PLAN'][0].Plan;
  return {
    parameters: rows[0]?.types ?? [],
    writes: [...new Set(plan ? writesOf(plan) : [])].sort(),
    locks: [...new Set(locksOf(statement))],
  };
}

const writesOf = (plan: Plan): string[] => [
  ...(plan['Node Type'] === 'ModifyTable' ? [`${plan.Operation} ${plan['Relation Name']}`] : []),
  ...(plan.Plans ?? []).flatMap(writesOf),
];

function* locksOf(statement: string): Generator<string> {
  for (const { 0: lock, index } of statement.matchAll(ROW_LOCK)) {
    const tables = [...statement.slice(0, index).matchAll(TABLE)].map(([, table]) => table);
    yield `${tables.at(-1)} ${lock}`;
  }
  for (const [name] of statement.matchAll(ADVISORY_LOCK)) yield name;
}
