import { hash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

// Three hexadecimal digits are 12 bits.
const PLACE_DIGITS = 3;

/** The last digits of every id in the workspace (docs/adr/0038). */
export const partitionSuffix = (workspaceId: string): string =>
  hash('sha256', workspaceId, 'hex').slice(0, PLACE_DIGITS);

/**
 * Creates an id for a new resource of a workspace: a UUID of version 7 (RFC 9562, section 5.7) that ends with
 * `partitionSuffix`. The ids of one process are in the order in which they were created.
 */
export const newIdFor = (workspaceId: string): string => withPartition(uuidv7(), workspaceId);

/** Gives an id the suffix of the workspace to which its resource belongs. */
export const withPartition = (id: string, workspaceId: string): string =>
  id.slice(0, -PLACE_DIGITS) + partitionSuffix(workspaceId);
