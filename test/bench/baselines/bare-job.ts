export const QUEUE_NAME = 'bare';

/** The whole notification travels in the job. */
export interface BareJob {
  id: string;
  body: string;
}
