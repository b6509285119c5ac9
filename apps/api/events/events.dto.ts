import { Transform } from 'class-transformer';
import { check, IsIdOf } from '../http/fields.js';
import { IsLimit } from '../http/list-query.js';

export class ReadEventsQuery {
  @IsIdOf('workspace')
  workspaceId!: string;

  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value,
  )
  @check(
    'isPosition',
    (value) => (typeof value === 'number' ? undefined : 'must be the position of an event, or 0'),
    {
      ...{ type: 'integer', minimum: 0, maximum: 999_999_999_999_999, default: 0, required: false },
      description: '`nextAfter` of the answer before; 0 for the beginning.',
    },
  )
  after: number = 0;

  @IsLimit(100)
  limit: number = 100;
}
