import { v7 as uuidv7 } from 'uuid';

export const QUEUE_NAME = 'bare';

/** The whole notification is in the job. */
export interface BareJob {
  id: string;
  body: string;
}

/** A notification as Galley sends it. */
export function newBareJob(): BareJob {
  const id = uuidv7();
  const data = { id, name: 'Welcome', workspaceId: id, version: 1 };
  return { id, body: JSON.stringify({ event: 'template.created', timestamp: new Date(), data }) };
}
