// cspell:ignore nspname hgetall lrange smembers zset zrange xrange
import type { Redis } from 'ioredis';
import type { TestDatabase } from '../galley/database.js';

/** Texts by the place where they are stored. */
type StoredTexts = Map<string, string>;

interface TableRow {
  name: string;
  parent: string | null;
}

/** All values of all tables, by `table.column`. The rows of a partition count as rows of its table. */
export async function readTables(database: TestDatabase): Promise<StoredTexts> {
  const tables = await database.query<TableRow>(
    `SELECT pg_class.oid::regclass::text AS name, inhparent::regclass::text AS parent
     FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
       LEFT JOIN pg_inherits ON inhrelid = pg_class.oid
     WHERE relkind = 'r' AND nspname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const texts: StoredTexts = new Map();
  for (const { name, parent } of tables) {
    // As text, because a parser would hide how a value is stored.
    const columns = await database.query<{ column: string; text: string }>(
      `SELECT pair.key AS column, string_agg(pair.value, E'\\n') AS text
       FROM ${name} stored, jsonb_each_text(to_jsonb(stored)) pair
       WHERE pair.value IS NOT NULL GROUP BY pair.key`,
    );
    for (const { column, text } of columns) {
      const place = `${parent ?? name}.${column}`;
      texts.set(place, `${texts.get(place) ?? ''}\n${text}`);
    }
  }
  return texts;
}

/** All keys with a prefix, and their values. */
export async function readRedis(redis: Redis, prefix: string): Promise<string> {
  const texts: string[] = [];
  for await (const keys of redis.scanStream({ match: `${prefix}*` })) {
    for (const key of keys as string[]) {
      texts.push(key, JSON.stringify(await readValue(redis, key)));
    }
  }
  return texts.join('\n');
}

async function readValue(redis: Redis, key: string): Promise<unknown> {
  const type = await redis.type(key);
  if (type === 'string') return redis.get(key);
  if (type === 'hash') return redis.hgetall(key);
  if (type === 'list') return redis.lrange(key, 0, -1);
  if (type === 'set') return redis.smembers(key);
  if (type === 'zset') return redis.zrange(key, 0, -1);
  if (type === 'stream') return redis.xrange(key, '-', '+');
  // The key has ended since the scan.
  if (type === 'none') return undefined;
  throw new Error(`${key} has the unknown type ${type}.`);
}
