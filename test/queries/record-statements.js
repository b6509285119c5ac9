/*
 * Runs before a program of Galley (`node --import`), and appends each prepared statement of the program to a file in
 * the folder RECORD_STATEMENTS, once.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

const file = join(process.env.RECORD_STATEMENTS, `${process.pid}.jsonl`);
const recorded = new Set();
const { query } = pg.Client.prototype;

pg.Client.prototype.query = function (...parameters) {
  const [{ name, text }] = parameters;
  // Statements of BullMQ have no name.
  if (name?.startsWith('galley_') && !recorded.has(text)) {
    recorded.add(text);
    appendFileSync(file, `${JSON.stringify(text)}\n`);
  }
  return query.apply(this, parameters);
};
