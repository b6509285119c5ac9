import type { SubscribableKind } from '#events';
import { finishedStatuses } from '#webhooks';
import { IsBoolean } from 'class-validator';
import { check, IfGiven, IsIdOf, IsTime } from '../http/fields.js';
import { IsEventList } from './webhooks.dto.js';

type FinishedStatus = (typeof finishedStatuses)[number];

export class ReplayDto {
  @IsTime()
  since!: string;

  @IfGiven()
  @IsTime()
  until?: string;

  @IfGiven()
  @IsEventList()
  events?: SubscribableKind[];

  @IfGiven()
  @IsIdOf('resource')
  resourceId?: string;

  @IfGiven()
  @check('areStatuses', (value) => {
    const isList = Array.isArray(value) && value.length > 0;
    return isList && value.every((each) => finishedStatuses.includes(each as FinishedStatus))
      ? undefined
      : `must be a list of ${finishedStatuses.join(', ')}`;
  })
  status?: FinishedStatus[];

  @IfGiven()
  @IsBoolean({ message: 'dryRun must be true or false' })
  dryRun?: boolean;
}
