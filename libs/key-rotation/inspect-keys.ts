import type { Query } from '#database';
import { SELECT_KEYS, SELECT_PROGRAMS } from './key-rotation.sql.js';

export interface StoredKey {
  id: string;
  /**
   * `active`: encrypts. `old`: some programs may still encrypt with it. `closed`: PostgreSQL refuses new values of it,
   * but stored values may need it. `retired`: no webhook needs it.
   */
  state: 'active' | 'old' | 'closed' | 'retired';
  /** How many webhooks had values of this key at the last count of a worker. */
  webhooks: number;
  changedSecondsAgo: number;
}

export interface RunningProgram {
  program: string;
  host: string;
  keyIds: string[];
}

/** The keys that PostgreSQL knows, and the programs that run, for an operator's tool. */
export const inspectKeys = async (
  query: Query,
): Promise<{ keys: StoredKey[]; programs: RunningProgram[] }> => ({
  keys: await query<StoredKey>(SELECT_KEYS),
  programs: await query<RunningProgram>(SELECT_PROGRAMS),
});
