export const QUEUE_NAME = 'bare';

/** The whole notification is in the job. */
export interface BareJob {
  id: string;
  body: string;
}
