import type { EventPattern } from '#events';
import { finishedStatuses } from '#webhooks';
import { enumListProperty } from '../validation/enums.js';
import { fieldRule, Optional, ResourceId, IsTrueOrFalse } from '../validation/fields.js';
import { IsTime } from '../validation/times.js';
import { IsEventList } from './webhooks.dto.js';

type FinishedStatus = (typeof finishedStatuses)[number];

export class StartReplayDto {
  @IsTime('Only deliveries that were created at this time or later.')
  since!: string;

  @Optional()
  @IsTime('Only deliveries that were created before this time; the default is now.')
  until?: string;

  @Optional('Only deliveries of these events; by default, deliveries of all events.')
  @IsEventList()
  events?: EventPattern[];

  @Optional(
    'Only deliveries about the template, module or webhook with this id; by default, deliveries about any resource.',
  )
  @ResourceId('resource')
  resourceId?: string;

  @Optional('Only deliveries with these statuses; by default, all finished deliveries.')
  @fieldRule(
    'areStatuses',
    (value) => {
      const isList = Array.isArray(value) && value.length > 0;
      return isList && value.every((status) => finishedStatuses.includes(status as FinishedStatus))
        ? undefined
        : `must be a list of these statuses: ${finishedStatuses.join(', ')}`;
    },
    { ...enumListProperty('FinishedStatus'), minItems: 1 },
  )
  status?: FinishedStatus[];

  @Optional(
    'If true, Galley sends nothing, and responds with 200 and the number of matching deliveries.',
    false,
  )
  @IsTrueOrFalse()
  dryRun?: boolean;
}
