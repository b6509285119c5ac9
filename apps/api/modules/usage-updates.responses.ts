import { ApiProperty } from '@nestjs/swagger';
import type { LongJobStatus } from '#long-jobs';
import type { UsageUpdate, UsageUpdateFailure } from '#documents';
import { enumProperty } from '../validation/enums.js';
import { ID_SCHEMA, TIME_SCHEMA } from '../validation/schemas.js';

class UsageUpdateFailureResponse implements UsageUpdateFailure {
  @ApiProperty(ID_SCHEMA)
  templateId!: string;

  @ApiProperty({ description: 'Why Galley could not change the template.' })
  message!: string;
}

export class UsageUpdateResponse implements UsageUpdate {
  @ApiProperty(ID_SCHEMA)
  id!: string;

  @ApiProperty(enumProperty('UsageUpdateStatus'))
  status!: LongJobStatus;

  @ApiProperty({
    type: 'integer',
    description: 'The version of the module that the references are pinned to.',
  })
  toVersion!: number;

  @ApiProperty({
    type: 'integer',
    description: 'The number of templates to change, counted when the update was started.',
  })
  total!: number;

  @ApiProperty({
    type: 'integer',
    description: 'The number of templates that have a new version because of the update.',
  })
  done!: number;

  @ApiProperty({ type: 'integer', description: 'The number of templates that were not changed.' })
  failed!: number;

  @ApiProperty({
    type: [UsageUpdateFailureResponse],
    description: 'The first 20 templates that were not changed, and why.',
  })
  failures!: UsageUpdateFailureResponse[];

  @ApiProperty({ description: 'When the update was started.' })
  createdAt!: Date;

  @ApiProperty({
    ...TIME_SCHEMA,
    nullable: true,
    description: 'When the update ended; null while the update is running.',
  })
  finishedAt!: Date | null;
}

export class UsageUpdatesResponse {
  @ApiProperty({
    type: [UsageUpdateResponse],
    description: 'The latest 100 updates, newest first.',
  })
  data!: UsageUpdateResponse[];
}

export class UsageUpdateCountResponse {
  @ApiProperty({
    type: 'integer',
    description: 'The number of templates that an update would change.',
  })
  count!: number;
}
