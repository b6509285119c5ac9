import { hash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

// Three hexadecimal digits are 12 bits.
const PLACE_DIGITS = 3;

/** The digits with which the ids of all resources of a workspace end (docs/adr/0038). */
export const placeOf = (workspaceId: string): string =>
  hash('sha256', workspaceId, 'hex').slice(0, PLACE_DIGITS);

/**
 * An id for a new resource of a workspace: a UUID of version 7 (RFC 9562, section 5.7) that
 * ends with `placeOf`. The ids of one process are in the order in which they were made.
 */
export const newIdIn = (workspaceId: string): string => placeId(uuidv7(), workspaceId);

/** Gives an id the place of a workspace. */
export const placeId = (id: string, workspaceId: string): string =>
  id.slice(0, -PLACE_DIGITS) + placeOf(workspaceId);
