import type { Query } from '#database';
import { SELECT_KEYS, SELECT_PROGRAMS } from './key-rotation.sql.js';

export interface StoredKey {
  id: string;
  /**
   * `active`: encrypts new values. `old`: some programs may still encrypt with it. `closed`: PostgreSQL rejects new
   * values that were encrypted with it, but stored values may still need it. `retired`: no webhook needs it.
   */
  state: 'active' | 'old' | 'closed' | 'retired';
  /** How many webhooks had values encrypted with this key when a worker last counted them. */
  webhooks: number;
  changedSecondsAgo: number;
}

export interface RunningProgram {
  program: string;
  host: string;
  keyIds: string[];
}

/** Reads the states of the encryption keys and the list of running programs, for operators' tools. */
export const inspectKeys = async (
  query: Query,
): Promise<{ keys: StoredKey[]; programs: RunningProgram[] }> => ({
  keys: await query<StoredKey>(SELECT_KEYS),
  programs: await query<RunningProgram>(SELECT_PROGRAMS),
});
