import type { StatisticsStep } from '#webhooks';
import { IsOneOf, Optional, ResourceId } from '../validation/fields.js';
import { IsQueryTime } from '../validation/times.js';

export class StatisticsQuery {
  @Optional()
  @IsQueryTime('The beginning of the range; by default 24 hours before `to`.')
  from?: Date;

  @Optional()
  @IsQueryTime('The end of the range; by default now.')
  to?: Date;

  @Optional(
    'The length of a step; by default the shortest step with which the range has at most 200 steps.',
  )
  @IsOneOf('StatisticsStep')
  step?: StatisticsStep;
}

export class WorkspaceStatisticsQuery extends StatisticsQuery {
  @ResourceId('workspace')
  workspaceId!: string;
}
