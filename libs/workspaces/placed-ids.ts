import { hash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

// Three hexadecimal digits are 12 bits.
const PLACE_DIGITS = 3;

/** The digits with which the ids of all resources of a workspace end (docs/adr/0038). */
export const partitionSuffix = (workspaceId: string): string =>
  hash('sha256', workspaceId, 'hex').slice(0, PLACE_DIGITS);

/**
 * An id for a new resource of a workspace: a UUID of version 7 (RFC 9562, section 5.7) that
 * ends with `placeOf`. The ids of one process are in the order in which they were made.
 */
export const newIdFor = (workspaceId: string): string => withPartition(uuidv7(), workspaceId);

/** Gives an id the place of a workspace. */
export const withPartition = (id: string, workspaceId: string): string =>
  id.slice(0, -PLACE_DIGITS) + partitionSuffix(workspaceId);
