import type { Database } from '#database';
import pg from 'pg';

type SqlValue = string | number | Date | readonly string[] | undefined;
export type SqlValues = readonly SqlValue[];

export interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

/** Records the statements of requests, and shows their plans. */
export class RecordedStatements {
  /** The latest statement that has the text. */
  last: { text: string; values: SqlValues } = { text: '', values: [] };

  /** @param part a text of the statements to record; others are left out. */
  constructor(
    private readonly database: Database,
    part = '',
  ) {
    const { query } = database;
    const pipeline = database.pipeline.bind(database);
    const record = (text: string, values: SqlValues = []) => {
      if (text.includes(part)) this.last = { text, values };
    };
    Object.assign(database, {
      query: (text: string, values?: SqlValues) => {
        record(text, values);
        return query(text, values);
      },
      pipeline: (...statements: [string, SqlValues][]) => {
        const [text = '', values = []] = statements.at(-1) ?? [];
        record(text, values);
        return pipeline(...statements);
      },
    });
  }

  /**
   * The plan of the latest statement, run with these values.
   *
   * @param cacheMode PostgreSQL plans for the values by default; a generic plan is the one for any values.
   */
  async planOf(
    values = this.last.values,
    cacheMode: 'auto' | 'force_generic_plan' = 'auto',
  ): Promise<PlanNode> {
    const literals = values.map((value) => {
      if (value === undefined) return 'NULL';
      if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
      // The elements of arrays are ids and queries, which contain no double quotes.
      const text =
        typeof value === 'object' ? `{${value.map((each) => `"${each}"`).join(',')}}` : `${value}`;
      return pg.escapeLiteral(text);
    });
    return this.database.withClient(async (client) => {
      await client.query(`PREPARE recorded AS ${this.last.text}`);
      await client.query(`SELECT set_config('galley.low_watermark', now()::text, false)`);
      await client.query(`SET plan_cache_mode = ${cacheMode}`);
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE recorded (${literals.join(', ')})`,
      );
      await client.query('RESET plan_cache_mode');
      await client.query('DEALLOCATE recorded');
      return rows[0]?.['QUERY PLAN'][0].Plan as PlanNode;
    });
  }
}

export const flattenPlan = (node: PlanNode): PlanNode[] => [
  node,
  ...(node.Plans ?? []).flatMap(flattenPlan),
];

export const blocksOf = (plan: PlanNode): number =>
  plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
