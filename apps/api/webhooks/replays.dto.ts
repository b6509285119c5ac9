import type { SubscribableKind } from '#events';
import { finishedStatuses } from '#webhooks';
import { IsBoolean } from 'class-validator';
import { check, IfGiven, IsIdOf } from '../http/fields.js';
import { IsEventList } from './webhooks.dto.js';

// RFC 3339, so that nobody has to guess a time zone.
const TIME = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;
const EARLIEST = Date.parse('2020-01-01T00:00:00Z');
const LATEST = Date.parse('2100-01-01T00:00:00Z');

const IsTime = () =>
  check('isTime', (value) => {
    const [, day] = (typeof value === 'string' && TIME.exec(value)) || [];
    // Date.parse takes February 30 for March 2.
    const midnight = new Date(day ?? NaN);
    const isDay = midnight.getTime() > 0 && midnight.toISOString().slice(0, 10) === day;
    const time = isDay ? Date.parse(value as string) : NaN;
    return time >= EARLIEST && time < LATEST
      ? undefined
      : 'must be a time such as 2026-11-21T09:30:00Z';
  });

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
