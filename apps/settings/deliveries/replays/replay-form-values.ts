import type { EventKind, FinishedStatus, StartReplay } from '#client';
import { eventKinds, isUuid } from '../../api/values.js';
import { fromLocalInput } from '../../controls/format.js';
import { words } from './texts.js';

// Test events cannot be replayed: users send a new test event instead.
type ReplayKind = Exclude<EventKind, 'webhook.test'>;

export interface ReplayFormValues {
  /** In the user's local time, because the input is a `datetime-local`. */
  since: string;
  until: string;
  events: ReplayKind[];
  status: FinishedStatus[];
  resourceId: string;
}

export const replayKinds = eventKinds.filter((kind): kind is ReplayKind => kind !== 'webhook.test');

export const finishedStatuses: readonly FinishedStatus[] = ['failed', 'delivered', 'cancelled'];

const { sinceMissing, untilTooEarly, statusMissing, resourceInvalid } = words;

/** The error message of each invalid field, by field name. */
export function validateReplayForm(values: ReplayFormValues): Record<string, string> {
  const { since, until, status, resourceId } = values;
  const isUntilTooEarly = until !== '' && until <= since;
  const isResourceInvalid = resourceId.trim() !== '' && !isUuid(resourceId.trim());
  return {
    ...(fromLocalInput(since) === undefined && { since: sinceMissing }),
    ...(isUntilTooEarly && { until: untilTooEarly }),
    ...(status.length === 0 && { status: statusMissing }),
    ...(isResourceInvalid && { resourceId: resourceInvalid }),
  };
}

export function toStartReplay(values: ReplayFormValues): StartReplay {
  const until = fromLocalInput(values.until);
  const resourceId = values.resourceId.trim();
  return {
    since: fromLocalInput(values.since) ?? '',
    status: values.status,
    ...(until !== undefined && { until }),
    ...(values.events.length > 0 && { events: values.events }),
    ...(resourceId !== '' && { resourceId }),
  };
}
