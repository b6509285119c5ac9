import type { Publish } from '#client';
import { fromLocalInput } from '../../controls/format.js';
import { publishing as words } from '../../texts/library/publishing.js';

export interface PublishValues {
  version: number;
  environment: string;
  when: 'now' | 'later';
  /** In the reader's local time, because the input has the type datetime-local. */
  time: string;
  note: string;
}

/** The error message of each invalid field, by field name. */
export function validatePublishValues({ when, time }: PublishValues, now = Date.now()) {
  const at = fromLocalInput(time);
  const isInFuture = at !== undefined && new Date(at).getTime() > now;
  return when === 'later' && !isInFuture ? { time: words.timeInvalid } : {};
}

export function toPublish({ version, environment, when, time, note }: PublishValues): Publish {
  const at = when === 'later' ? fromLocalInput(time) : undefined;
  return { version, environment, note: note.trim(), ...(at !== undefined && { at }) };
}
