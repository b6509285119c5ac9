import type { EventPattern } from '#events';
import { finishedStatuses } from '#webhooks';
import { listOf } from '../http/enums.js';
import { check, IfGiven, IsIdOf, IsTrueOrFalse } from '../http/fields.js';
import { IsTime } from '../http/times.js';
import { IsEventList } from './webhooks.dto.js';

type FinishedStatus = (typeof finishedStatuses)[number];

export class StartReplayDto {
  @IsTime('Deliveries that were made at this time or later.')
  since!: string;

  @IfGiven()
  @IsTime('And before this time; up to now when left out.')
  until?: string;

  @IfGiven('Only these; all when left out.')
  @IsEventList()
  events?: EventPattern[];

  @IfGiven('Only of this template or module; of all when left out.')
  @IsIdOf('resource')
  resourceId?: string;

  @IfGiven('Only those that ended so; all that are over when left out.')
  @check(
    'areStatuses',
    (value) => {
      const isList = Array.isArray(value) && value.length > 0;
      return isList && value.every((each) => finishedStatuses.includes(each as FinishedStatus))
        ? undefined
        : `must be a list of ${finishedStatuses.join(', ')}`;
    },
    { ...listOf('FinishedStatus'), minItems: 1 },
  )
  status?: FinishedStatus[];

  @IfGiven('Only says how many there are, with 200, and sends nothing.', false)
  @IsTrueOrFalse()
  dryRun?: boolean;
}
